import type { Operation } from '../core/operation.js';

/** What the connections service answers. */
export const connectionsOperations: Record<string, Operation> = {};
