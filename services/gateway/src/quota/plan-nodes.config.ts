// The files and folders that a connection may have in each plan.
import { z } from 'zod';
import type { Plan } from '../organizations/plan.domain.js';
import { planValuesSchema } from '../organizations/plan-values.config.js';

export type PlanNodes = Readonly<Record<Plan, number>>;

const byDefault: PlanNodes = { free: 1_000_000, pro: 10_000_000, enterprise: 100_000_000 };

const NODES_MAX = 1_000_000_000;

const nodesSchema = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(z.int().min(1).max(NODES_MAX));

/** Reads `free=1000000,pro=10000000,enterprise=100000000` for the plans that differ from the default. */
export const planNodesSchema = planValuesSchema(
  '<plan>=<files and folders>,…',
  z.tuple([nodesSchema]).transform(([nodes]) => nodes),
).transform((set): PlanNodes => ({ ...byDefault, ...set }));
