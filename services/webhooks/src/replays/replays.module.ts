import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ReplayEvents } from './replay-events.usecase.js';
import { ReplayEntity } from './replay.entity.js';
import { ReplayStore } from './replay.store.js';

/** Replays: windows of past events that are queued again. */
@Module({
  imports: [TypeOrmModule.forFeature([ReplayEntity]), WebhooksModule],
  providers: [ReplayStore, ReplayEvents],
  exports: [ReplayStore, ReplayEvents],
})
export class ReplaysModule {}
