import { failuresOperations } from './failures.js';
import { historyOperations } from './history.js';
import { overviewOperations } from './overview.js';
import { requestLogOperations } from './request-log.js';

/** What the analytics service answers. */
export const analyticsOperations = {
  ...overviewOperations,
  ...historyOperations,
  ...failuresOperations,
  ...requestLogOperations,
};
