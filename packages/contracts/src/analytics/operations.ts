import { requestLogOperations } from './request-log.js';

/** What the analytics service answers. */
export const analyticsOperations = { ...requestLogOperations };
