// The pages per month of each plan, and whether work beyond them is refused.
import { z } from 'zod';
import type { Plan } from '../organizations/plan.domain.js';
import { planValuesSchema } from '../organizations/plan-values.config.js';

export interface PageAllowance {
  /** Null if the plan has no limit. */
  pages: number | null;
  /** If true, work beyond the limit is refused; otherwise it is reported as overage. */
  hardStop: boolean;
}

export type PlanPages = Readonly<Record<Plan, PageAllowance>>;

const byDefault: PlanPages = {
  free: { pages: 1_000, hardStop: true },
  pro: { pages: 50_000, hardStop: false },
  enterprise: { pages: null, hardStop: false },
};

const PAGES_MAX = 1_000_000_000;

const pagesSchema = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(z.int().max(PAGES_MAX));
const allowanceSchema = z
  .union([z.tuple([z.literal('unlimited')]), z.tuple([pagesSchema]), z.tuple([pagesSchema, z.literal('stop')])])
  .transform(([pages, stop]): PageAllowance => ({
    pages: pages === 'unlimited' ? null : pages,
    hardStop: stop !== undefined,
  }));

/** Reads `free=1000:stop,pro=50000,enterprise=unlimited` for the plans that differ from the default. */
export const planPagesSchema = planValuesSchema(
  '<plan>=<pages a month>[:stop],… or <plan>=unlimited,',
  allowanceSchema,
).transform((set): PlanPages => ({ ...byDefault, ...set }));
