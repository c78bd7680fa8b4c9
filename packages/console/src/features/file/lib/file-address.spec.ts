import { expect, it } from '@jest/globals';
import { addressOf, readFileAddress } from './file-address.js';

it('an address is read as far as it is known', () => {
  expect(readFileAddress({ tab: 'chunks', page: 3, chunk: 0, other: 1 })).toStrictEqual({
    tab: 'chunks',
    page: 3,
    chunk: 0,
  });
  expect(readFileAddress({ tab: 'secret', page: 0, chunk: -1 })).toStrictEqual({});
  expect(readFileAddress({ page: 1.5, chunk: '2' })).toStrictEqual({});
});

it('an address names no page that no document has: each page up to it has a place on the screen', () => {
  expect(readFileAddress({ page: 10_000 })).toStrictEqual({ page: 10_000 });
  for (const page of [10_001, 2 ** 32, Number.MAX_SAFE_INTEGER]) expect(readFileAddress({ page })).toStrictEqual({});
});

it('an address leaves out the text and the first page', () => {
  expect(addressOf({ tab: 'text', page: 1, chunk: undefined })).toStrictEqual({});
});
