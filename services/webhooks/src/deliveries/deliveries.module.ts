import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { SendDelivery } from './send-delivery.usecase.js';
import { DeliveryAttemptEntity } from './delivery-attempt.entity.js';
import { DeliveryStore } from './delivery.store.js';
import { EndpointQueueStore } from './endpoint-queue.store.js';
import { ReadDeliveries } from './read-deliveries.usecase.js';

/** Deliveries and their attempts, as the owner of a webhook sees them, and the queue of webhooks with pending deliveries. */
@Module({
  imports: [TypeOrmModule.forFeature([DeliveryAttemptEntity]), WebhooksModule, EventsModule],
  providers: [DeliveryStore, EndpointQueueStore, ReadDeliveries, SendDelivery],
  exports: [DeliveryStore, EndpointQueueStore, ReadDeliveries, SendDelivery],
})
export class DeliveriesModule {}
