import type { Operation } from '../core/operation.js';

/** The operations of the __name__ service. */
export const __name__Operations: Record<string, Operation> = {};
