import { expect, it } from '@jest/globals';
import { TenantSlots } from './tenant-slots.js';

it('a tenant never gets more than its slots, independently of other tenants', () => {
  const slots = new TenantSlots(2);
  expect([slots.take('a'), slots.take('a'), slots.take('a'), slots.take('b')]).toStrictEqual([true, true, false, true]);
  slots.release('a');
  expect([slots.take('a'), slots.take('a')]).toStrictEqual([true, false]);
});
