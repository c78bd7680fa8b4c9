import { describe, expect, it } from '@jest/globals';
import { planPagesSchema } from './plan-pages.config.js';

describe('the pages of plans', () => {
  const free = { pages: 1_000, hardStop: true };
  const pro = { pages: 50_000, hardStop: false };
  const enterprise = { pages: null, hardStop: false };

  it('are 1,000 with a hard stop, 50,000 without, and as many as they like, unless the operator says otherwise', () => {
    expect(planPagesSchema.parse('')).toStrictEqual({ free, pro, enterprise });
    expect(planPagesSchema.parse('pro=10:stop, free=unlimited')).toStrictEqual({
      free: { pages: null, hardStop: false },
      pro: { pages: 10, hardStop: true },
      enterprise,
    });
    expect(planPagesSchema.parse('free=0:stop').free).toStrictEqual({ pages: 0, hardStop: true });
  });

  it('are refused where they cannot be read', () => {
    for (const wrong of [
      'free',
      'free=',
      'free=-1',
      'free=1.5',
      'gold=10',
      'free=10:go',
      'free=unlimited:stop',
      'free=1e9',
    ]) {
      expect(() => planPagesSchema.parse(wrong)).toThrow(/must read <plan>=/);
    }
  });
});
