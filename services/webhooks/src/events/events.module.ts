import { Module } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { EventStore } from './event.store.js';
import { FanOut } from './fan-out.usecase.js';
import { ListEvents } from './list-events.usecase.js';

/** Events: one record for each subscribed webhook, and a delivery if it is active. */
@Module({
  imports: [WebhooksModule],
  providers: [EventStore, FanOut, ListEvents],
  exports: [EventStore, FanOut, ListEvents],
})
export class EventsModule {}
