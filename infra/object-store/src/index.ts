export type { NotifyTarget } from './notifications.js';
export type { StoreLimits } from './operation.js';
export { startObjectStore, type ObjectStoreOptions, type RunningObjectStore } from './server.js';
