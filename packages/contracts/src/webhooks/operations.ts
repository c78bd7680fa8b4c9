import type { Operation } from '../core/operation.js';

/** What the webhooks service answers. */
export const webhooksOperations: Record<string, Operation> = {};
