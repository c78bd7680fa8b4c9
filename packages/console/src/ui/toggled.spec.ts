import { expect, it } from '@jest/globals';
import { toggled } from './toggled.js';

it('a value is added, and removed where it is there', () => {
  expect([...toggled(new Set(['files:read']), 'jobs:read')]).toStrictEqual(['files:read', 'jobs:read']);
  expect([...toggled(new Set(['files:read']), 'files:read')]).toStrictEqual([]);
});
