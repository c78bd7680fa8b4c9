import { Database, DayPartitions } from '@kiln/platform';
import { Module } from '@nestjs/common';
import { ListRequests } from './list-requests.usecase.js';
import { LOGGED_DAYS, PartitionWorker } from './partition.worker.js';
import { RecordRequests } from './record-requests.usecase.js';
import { RequestLogConsumer } from './request-log.consumer.js';
import { RequestLogStore } from './request-log.store.js';
import { RequestsController } from './requests.controller.js';

/** The request log of tenants. */
@Module({
  providers: [
    RequestLogStore,
    RecordRequests,
    ListRequests,
    {
      provide: DayPartitions,
      inject: [Database],
      useFactory: (database: Database) => new DayPartitions(database, LOGGED_DAYS),
    },
    PartitionWorker,
  ],
  controllers: [RequestLogConsumer, RequestsController],
})
export class RequestsModule {}
