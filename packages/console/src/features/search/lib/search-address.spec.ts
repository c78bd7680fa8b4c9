import { expect, it } from '@jest/globals';
import { addressOf, filtersOf, readSearchAddress } from './search-address.js';

it('an address is read as far as it is known', () => {
  const search = { q: 'glaze', view: 'compare', space: 'a', type: 'text/csv', meta: 'year=2026', page: '3' };
  const { page: _page, ...known } = search;
  expect(readSearchAddress(search)).toStrictEqual(known);
  expect(readSearchAddress({ q: ' ', view: 'best', space: {}, meta: 'year' })).toStrictEqual({});
});

it('an address leaves out the default and what is empty', () => {
  expect(addressOf({ q: '', view: 'hybrid', space: undefined, type: '', meta: 'a=b' })).toStrictEqual({ meta: 'a=b' });
});

it('a filter of metadata keeps further signs in its value', () => {
  expect(filtersOf({ space: 's', type: 'text/csv', meta: 'formula=a=b' })).toStrictEqual({
    space: 's',
    content_type: 'text/csv',
    metadata: { formula: 'a=b' },
  });
  expect(filtersOf({})).toStrictEqual({});
});
