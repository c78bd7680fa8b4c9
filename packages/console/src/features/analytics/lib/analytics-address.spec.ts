import { expect, it } from '@jest/globals';
import { readAnalyticsAddress } from './analytics-address.js';

it('an address has the range if it is another one than 30 days, and other values are ignored', () => {
  expect(readAnalyticsAddress({ days: 7, page: 2 })).toStrictEqual({ days: 7 });
  expect(readAnalyticsAddress({ days: '90' })).toStrictEqual({ days: 90 });
  expect([{}, { days: 30 }, { days: 8 }, { days: {} }].map(readAnalyticsAddress)).toStrictEqual([{}, {}, {}, {}]);
});
