// The pages per month of each plan, and whether work beyond them is refused.
import { z } from 'zod';
import { plans, type Plan } from '../organizations/plan.domain.js';

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
const entrySchema = z.union([
  z.tuple([z.enum(plans), z.literal('unlimited')]),
  z.tuple([z.enum(plans), pagesSchema]),
  z.tuple([z.enum(plans), pagesSchema, z.literal('stop')]),
]);

/** Reads `free=1000:stop,pro=50000,enterprise=unlimited` for the plans that differ from the default. */
export const planPagesSchema = z.string().transform((text, context): PlanPages => {
  const allowances: Record<Plan, PageAllowance> = { ...byDefault };
  for (const part of text.split(',').filter((part) => part.trim() !== '')) {
    const entry = entrySchema.safeParse(part.trim().split(/[=:]/));
    if (entry.success) {
      const [plan, pages, stop] = entry.data;
      allowances[plan] = { pages: pages === 'unlimited' ? null : pages, hardStop: stop !== undefined };
    } else {
      const message = `must read <plan>=<pages a month>[:stop],… or <plan>=unlimited, with plans ${plans.join(', ')}`;
      context.addIssue({ code: 'custom', message });
    }
  }
  return allowances;
});
