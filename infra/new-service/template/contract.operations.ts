import type { Operation } from '../core/operation.js';

/** What the __name__ service answers. */
export const __name__Operations: Record<string, Operation> = {};
