export * from './backoff.js';
export * from './circuit-breaker.js';
export * from './fair-slots.js';
export * from './retry.js';
export * from './retry-after.js';
export * from './within.js';
