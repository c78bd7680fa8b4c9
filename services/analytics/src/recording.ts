// The recording of facts without the rest of the service, for benches.
export { RecordFacts } from './facts/record-facts.usecase.js';
export type { FileFact } from './facts/file-fact.store.js';
export type { JobOutcome } from './facts/job-outcome.store.js';
export { RebuildRollups } from './rollups/rebuild-rollups.usecase.js';
