// The job engine without the service around it, for benches.
export { ClaimStore } from './store/claim.store.js';
export { JobBatchStore } from './store/job-batch.store.js';
export { LeaseStore } from './store/lease.store.js';
export { TenantQueueStore } from './store/tenant-queue.store.js';
export { claim } from './store/claim.statement.js';
export { CompletionStore } from './store/completion.store.js';
export { JOBS_WAKE_UP } from './usecases/request-job.usecase.js';
export { RequestJobs } from './usecases/request-jobs.usecase.js';
export { JobWorker } from './workers/job.worker.js';
export { SettleJob } from './workers/settle-job.js';
