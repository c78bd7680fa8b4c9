import { Database, DayPartitions } from '@kiln/platform';
import { Module } from '@nestjs/common';
import { EndpointQueueStore } from '../deliveries/endpoint-queue.store.js';
import { EVENT_DAYS, MaintenanceWorker } from './maintenance.worker.js';

/** Maintains the partitions and the queue of webhooks, in every role. */
@Module({
  providers: [
    {
      provide: DayPartitions,
      inject: [Database],
      useFactory: (database: Database) => new DayPartitions(database, EVENT_DAYS),
    },
    EndpointQueueStore,
    MaintenanceWorker,
  ],
})
export class MaintenanceModule {}
