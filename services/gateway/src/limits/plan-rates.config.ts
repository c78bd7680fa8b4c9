// The request rate of each plan: a default, and what the operator has set for single plans.
import { z } from 'zod';
import { plans, type Plan } from '../organizations/plan.domain.js';

export interface Rate {
  /** The number of tokens that a bucket gains per second. */
  perSecond: number;
  /** The number of tokens in a full bucket. */
  burst: number;
}

export type PlanRates = Readonly<Record<Plan, Rate>>;

export const perSecondSchema = z.coerce.number().positive().max(1_000_000);
export const burstSchema = z.coerce.number().int().min(1).max(10_000_000);

const entrySchema = z.tuple([z.enum(plans), perSecondSchema, burstSchema]);

/** Reads `free=10:20,pro=100:200`: requests per second and burst of the plans that differ from the default. */
export const planRatesSchema = z.string().transform((text, context) => {
  const rates: Partial<Record<Plan, Rate>> = {};
  for (const part of text.split(',').filter((part) => part.trim() !== '')) {
    const entry = entrySchema.safeParse(part.trim().split(/[=:]/));
    if (entry.success) {
      const [plan, perSecond, burst] = entry.data;
      rates[plan] = { perSecond, burst };
    } else {
      const message = `must read <plan>=<requests per second>:<burst>,… with plans ${plans.join(', ')}`;
      context.addIssue({ code: 'custom', message });
    }
  }
  return rates;
});

export function planRates(byDefault: Rate, set: Partial<PlanRates>): PlanRates {
  return { free: byDefault, pro: byDefault, enterprise: byDefault, ...set };
}
