import { Module } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { EventStore } from './event.store.js';
import { EventsController } from './events.controller.js';
import { FanOut } from './fan-out.usecase.js';
import { PublicEventsConsumer } from './public-events.consumer.js';
import { ReadEvents } from './read-events.usecase.js';

/** Events: one record for each subscribed webhook, and a delivery if it is active. */
@Module({
  imports: [WebhooksModule],
  controllers: [EventsController, PublicEventsConsumer],
  providers: [EventStore, FanOut, ReadEvents],
  exports: [EventStore],
})
export class EventsModule {}
