import { Module } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ReplayEvents } from './replay-events.usecase.js';
import { ReplayStore } from './replay.store.js';
import { ReplaysController } from './replays.controller.js';

/** Replays: windows of past events that are queued again. */
@Module({ imports: [WebhooksModule], controllers: [ReplaysController], providers: [ReplayStore, ReplayEvents] })
export class ReplaysModule {}
