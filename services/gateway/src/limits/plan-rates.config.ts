// The request rate of each plan: a default, and what the operator has set for single plans.
import { z } from 'zod';
import type { Plan } from '../organizations/plan.domain.js';
import { planValuesSchema } from '../organizations/plan-values.config.js';

export interface Rate {
  /** The number of tokens that a bucket gains per second. */
  perSecond: number;
  /** The number of tokens in a full bucket. */
  burst: number;
}

export type PlanRates = Readonly<Record<Plan, Rate>>;

export const perSecondSchema = z.coerce.number().positive().max(1_000_000);
export const burstSchema = z.coerce.number().int().min(1).max(10_000_000);

/** Reads `free=10:20,pro=100:200`: requests per second and burst of the plans that differ from the default. */
export const planRatesSchema = planValuesSchema(
  '<plan>=<requests per second>:<burst>,…',
  z.tuple([perSecondSchema, burstSchema]).transform(([perSecond, burst]): Rate => ({ perSecond, burst })),
);

export function planRates(byDefault: Rate, set: Partial<PlanRates>): PlanRates {
  return { free: byDefault, pro: byDefault, enterprise: byDefault, ...set };
}
