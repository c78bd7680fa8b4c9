/** The parts of `npm start`, for launchers of other systems. */
export { migrateInChild } from './migrate-in-child.js';
export { runInForeground } from './run-in-foreground.js';
export { processName, topology } from './topology.js';
