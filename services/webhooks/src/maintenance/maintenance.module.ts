import { Module } from '@nestjs/common';
import { EndpointQueueStore } from '../deliveries/endpoint-queue.store.js';
import { MaintenanceWorker } from './maintenance.worker.js';
import { PartitionStore } from './partition.store.js';

/** Maintains the partitions and the queue of webhooks, in every role. */
@Module({ providers: [PartitionStore, EndpointQueueStore, MaintenanceWorker] })
export class MaintenanceModule {}
