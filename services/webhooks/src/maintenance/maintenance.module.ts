import { Module, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { MaintenanceWorker } from './maintenance.worker.js';
import { PartitionStore } from './partition.store.js';

/** Keeps partitions and the queue of webhooks in order, in every role. */
@Module({ imports: [DeliveriesModule], providers: [PartitionStore, MaintenanceWorker] })
export class MaintenanceModule implements OnModuleInit, BeforeApplicationShutdown {
  constructor(private readonly worker: MaintenanceWorker) {}

  /** Before anything is answered or consumed: there is a partition for what is about to be written. */
  onModuleInit(): Promise<void> {
    return this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}
