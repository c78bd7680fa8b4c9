import { describe, expect, it } from '@jest/globals';
import { planRates, planRatesSchema } from './plan-rates.config.js';

describe('rates per plan', () => {
  it('are read as plan=requests per second:burst', () => {
    const rates = planRatesSchema.parse(' free=0.5:20, pro=100:200 ,');
    expect(rates).toStrictEqual({ free: { perSecond: 0.5, burst: 20 }, pro: { perSecond: 100, burst: 200 } });
  });

  it('fall back to the default for plans that are not named', () => {
    const byDefault = { perSecond: 1, burst: 2 };
    const pro = { perSecond: 3, burst: 4 };
    expect(planRates(byDefault, { pro })).toStrictEqual({ free: byDefault, pro, enterprise: byDefault });
  });

  it.each(['gold=1:2', 'free', 'free=1', 'free=0:1', 'free=1:0', 'free=1:1.5', 'free=1:2:3', 'free=a:b'])(
    'are refused in any other form: %s',
    (text) => {
      expect(planRatesSchema.safeParse(text).success).toBe(false);
    },
  );
});
