import { Module } from '@nestjs/common';
import { ListRequests } from './list-requests.usecase.js';
import { PartitionStore } from './partition.store.js';
import { PartitionWorker } from './partition.worker.js';
import { RecordRequests } from './record-requests.usecase.js';
import { RequestLogConsumer } from './request-log.consumer.js';
import { RequestLogStore } from './request-log.store.js';
import { RequestsController } from './requests.controller.js';

/** The request log of tenants. */
@Module({
  providers: [RequestLogStore, RecordRequests, ListRequests, PartitionStore, PartitionWorker],
  controllers: [RequestLogConsumer, RequestsController],
})
export class RequestsModule {}
