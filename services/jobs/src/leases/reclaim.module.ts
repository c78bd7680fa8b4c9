import { Database, WakeUp, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { JOBS_CONFIG, type JobsConfig } from '../config.js';
import { ClaimsModule } from '../claims/claims.module.js';
import { TenantQueueStore } from '../claims/tenant-queue.store.js';
import { DeletedFileStore } from '../requests/deleted-file.store.js';
import { LeaseStore } from './lease.store.js';
import { LeasesModule } from './leases.module.js';
import { ReclaimWorker } from './reclaim.worker.js';

const worker = {
  provide: ReclaimWorker,
  inject: [JOBS_CONFIG, Database, LeaseStore, TenantQueueStore, DeletedFileStore, WakeUp, LOGGER],
  useFactory: (
    config: JobsConfig,
    database: Database,
    leases: LeaseStore,
    tenants: TenantQueueStore,
    deletedFiles: DeletedFileStore,
    wakeUp: WakeUp,
    logger: Logger,
  ) => {
    const pollMs = (config.KILN_LEASE_SECONDS * 1_000) / 2;
    return new ReclaimWorker({ database, leases, tenants, deletedFiles, wakeUp, logger, pollMs });
  },
};

/** Reclaims jobs from workers that died, and keeps the queue in order, in every role. */
@Module({ imports: [LeasesModule, ClaimsModule], providers: [DeletedFileStore, worker] })
export class ReclaimModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly worker: ReclaimWorker) {}

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}
