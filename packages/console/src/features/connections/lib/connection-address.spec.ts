import { expect, it } from '@jest/globals';
import { addressOf, readConnectionAddress } from './connection-address.js';

it('an address keeps the prefix of the objects only', () => {
  expect(readConnectionAddress({ tab: 'objects', prefix: 'contracts/' })).toStrictEqual({
    tab: 'objects',
    prefix: 'contracts/',
  });
  expect(readConnectionAddress({ tab: 'objects', prefix: 2026 })).toStrictEqual({ tab: 'objects', prefix: '2026' });
  expect(readConnectionAddress({ tab: 'other', prefix: 'a' })).toStrictEqual({});
  expect(addressOf('syncs', 'a')).toStrictEqual({});
});
