import { expect, it } from '@jest/globals';
import { addressOf, readDeliveriesAddress } from './deliveries-address.js';

it('an address keeps the filter and the open delivery, and drops what it does not know', () => {
  expect(readDeliveriesAddress({ status: 'failed', delivery: 'dlv_1' })).toStrictEqual({
    status: 'failed',
    delivery: 'dlv_1',
  });
  expect(readDeliveriesAddress({ status: 'lost', delivery: 7, page: 2 })).toStrictEqual({});
});

it('an address leaves out what is empty', () => {
  expect(addressOf({ status: undefined, delivery: '' })).toStrictEqual({});
});
