import { expect, it } from '@jest/globals';
import { TenantSlots } from './tenant-slots.js';

it('a tenant never gets more than its slots, independently of other tenants', () => {
  const slots = new TenantSlots(2);
  expect([slots.take('a'), slots.take('a'), slots.take('a'), slots.take('b')]).toStrictEqual([true, true, false, true]);
  slots.release('a');
  expect([slots.take('a'), slots.take('a')]).toStrictEqual([true, false]);
});

it('all tenants together never get more than the slots of all', () => {
  const slots = new TenantSlots(2, 3);
  expect([slots.take('a'), slots.take('a'), slots.take('b'), slots.take('b')]).toStrictEqual([true, true, true, false]);
  slots.release('a');
  expect([slots.take('c'), slots.take('b')]).toStrictEqual([true, false]);
});
