// The files and folders that a connection may have in each plan.
import { z } from 'zod';
import { plans, type Plan } from '../organizations/plan.domain.js';

export type PlanNodes = Readonly<Record<Plan, number>>;

const byDefault: PlanNodes = { free: 1_000_000, pro: 10_000_000, enterprise: 100_000_000 };

const NODES_MAX = 1_000_000_000;

const entrySchema = z.tuple([
  z.enum(plans),
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(NODES_MAX)),
]);

/** Reads `free=1000000,pro=10000000,enterprise=100000000` for the plans that differ from the default. */
export const planNodesSchema = z.string().transform((text, context): PlanNodes => {
  const nodes: Record<Plan, number> = { ...byDefault };
  for (const part of text.split(',').filter((part) => part.trim() !== '')) {
    const entry = entrySchema.safeParse(part.trim().split('='));
    if (entry.success) nodes[entry.data[0]] = entry.data[1];
    else {
      const message = `must read <plan>=<files and folders>,… with plans ${plans.join(', ')}`;
      context.addIssue({ code: 'custom', message });
    }
  }
  return nodes;
});
