import { Module } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { EventStore } from './event.store.js';
import { FanOut } from './fan-out.usecase.js';
import { ListEvents } from './list-events.usecase.js';

/** What happened, recorded once for each webhook that wants it, with a delivery for each that is active. */
@Module({
  imports: [WebhooksModule],
  providers: [EventStore, FanOut, ListEvents],
  exports: [EventStore, FanOut, ListEvents],
})
export class EventsModule {}
