import type { OperationInput, OperationOutput } from '../core/operation.js';
import { failuresOperations } from './failures.js';
import { historyOperations } from './history.js';
import { overviewOperations } from './overview.js';
import { requestLogOperations } from './request-log.js';

/** The operations of the analytics service. */
export const analyticsOperations = {
  ...overviewOperations,
  ...historyOperations,
  ...failuresOperations,
  ...requestLogOperations,
};

type AnalyticsOperations = typeof analyticsOperations;
export type AnalyticsInput<Name extends keyof AnalyticsOperations> = OperationInput<AnalyticsOperations[Name]>;
export type AnalyticsOutput<Name extends keyof AnalyticsOperations> = OperationOutput<AnalyticsOperations[Name]>;
