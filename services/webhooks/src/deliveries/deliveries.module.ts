import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveryStore } from './delivery.store.js';
import { ReadDeliveries } from './read-deliveries.usecase.js';
import { SendDelivery } from './send-delivery.usecase.js';

/** Deliveries and their attempts, as the owner of a webhook sees them. */
@Module({
  imports: [WebhooksModule, EventsModule],
  controllers: [DeliveriesController],
  providers: [DeliveryStore, ReadDeliveries, SendDelivery],
})
export class DeliveriesModule {}
