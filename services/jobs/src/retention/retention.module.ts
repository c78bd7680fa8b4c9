import { Database } from '@kiln/platform';
import { Module } from '@nestjs/common';
import { JOBS_CONFIG, type JobsConfig } from '../config.js';
import { RetentionStore } from './retention.store.js';
import { RetentionWorker } from './retention.worker.js';

const JOBS_PER_BATCH = 1_000;

const retention = {
  provide: RetentionStore,
  inject: [Database, JOBS_CONFIG],
  useFactory: (database: Database, { KILN_JOBS_RETENTION_DAYS: days }: JobsConfig) =>
    new RetentionStore(database, { days, jobsPerBatch: JOBS_PER_BATCH }),
};

/** Deletes superseded jobs, in the API role. */
@Module({ providers: [retention, RetentionWorker] })
export class RetentionModule {}
