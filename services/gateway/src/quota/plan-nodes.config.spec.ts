import { expect, it } from '@jest/globals';
import { planNodesSchema } from './plan-nodes.config.js';

it('a connection may have 1, 10 or 100 million nodes by plan, unless the operator says otherwise', () => {
  const byDefault = { free: 1_000_000, pro: 10_000_000, enterprise: 100_000_000 };
  expect(planNodesSchema.parse('')).toStrictEqual(byDefault);
  expect(planNodesSchema.parse('free=5, pro=7')).toStrictEqual({ ...byDefault, free: 5, pro: 7 });
});

it.each(['free', 'free=', 'free=0', 'free=-1', 'free=1.5', 'gold=10', 'free=unlimited', 'free=1e9', 'free=1000000001'])(
  'nodes of plans that read %s are refused',
  (wrong) => {
    expect(() => planNodesSchema.parse(wrong)).toThrow(/must read <plan>=/);
  },
);
