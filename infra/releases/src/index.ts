/** For tests that run two releases beside each other. */
export { buildLastRelease, type BuiltRelease } from './built-release.js';
export { startMixedSystem } from './mixed-system.js';
