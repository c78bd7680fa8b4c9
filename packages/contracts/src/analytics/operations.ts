import type { Operation } from '../core/operation.js';

/** What the analytics service answers. */
export const analyticsOperations: Record<string, Operation> = {};
