// The job engine without the service around it, for benches.
export { LEASE_SECONDS, TEXT_CONCURRENCY } from './config.js';
export { RunTimeline } from './queue/runs/domain/run-timeline.js';
export { ClaimStore } from './queue/claims/claim.store.js';
export { JobBatchStore } from './queue/requests/job-batch.store.js';
export { LeaseStore } from './queue/leases/lease.store.js';
export { TenantQueueStore } from './queue/claims/tenant-queue.store.js';
export { claim } from './queue/claims/claim.statement.js';
export { CompletionStore } from './queue/leases/completion.store.js';
export { jobsWakeUp } from './queue/wake-ups.js';
export { RequestJobs } from './queue/requests/request-jobs.usecase.js';
export { JobWorker } from './queue/worker/job.worker.js';
export { EndRun } from './queue/worker/end-run.js';
