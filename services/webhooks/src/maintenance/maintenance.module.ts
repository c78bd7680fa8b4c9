import { Module, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { MaintenanceWorker } from './maintenance.worker.js';
import { PartitionStore } from './partition.store.js';

/** Maintains the partitions and the queue of webhooks, in every role. */
@Module({ imports: [DeliveriesModule], providers: [PartitionStore, MaintenanceWorker] })
export class MaintenanceModule implements OnModuleInit, BeforeApplicationShutdown {
  constructor(private readonly worker: MaintenanceWorker) {}

  /** Creates the current partitions before the service answers calls or consumes events. */
  onModuleInit(): Promise<void> {
    return this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}
