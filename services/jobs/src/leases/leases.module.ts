import { Database } from '@kiln/platform';
import { Module } from '@nestjs/common';
import { JOBS_CONFIG, type JobsConfig } from '../config.js';
import { CompletionStore } from './completion.store.js';
import { LeaseStore } from './lease.store.js';

const leases = {
  provide: LeaseStore,
  inject: [Database, JOBS_CONFIG],
  useFactory: (database: Database, config: JobsConfig) => new LeaseStore(database, config.KILN_LEASE_SECONDS),
};

/** Renews, reports on and ends the runs that workers hold leases for. */
@Module({ providers: [leases, CompletionStore], exports: [leases, CompletionStore] })
export class LeasesModule {}
