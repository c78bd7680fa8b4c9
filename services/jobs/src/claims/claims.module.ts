import { Module } from '@nestjs/common';
import { TenantQueueStore } from './tenant-queue.store.js';

/** Which tenants have queued jobs, in the order in which workers serve them. */
@Module({ providers: [TenantQueueStore], exports: [TenantQueueStore] })
export class ClaimsModule {}
