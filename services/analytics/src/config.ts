import { databaseVariables, loadConfig, processVariables } from '@kiln/platform';
import { z } from 'zod';

const variables = z.object({
  ...processVariables,
  ...databaseVariables,
  /** Seconds between two comparisons of the totals with the counts of the files and jobs services. */
  KILN_ANALYTICS_RECONCILE_SECONDS: z.coerce.number().int().min(1).max(86_400).default(3_600),
});

export type AnalyticsConfig = Readonly<z.output<typeof variables>>;

/** Injection token of the configuration. */
export const ANALYTICS_CONFIG = Symbol('analytics config');

export const loadAnalyticsConfig = (): AnalyticsConfig => loadConfig(variables, process.env);
