import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnownWebhooks } from './known-webhooks.service.js';
import { ManageWebhooks } from './manage-webhooks.usecase.js';
import { SubscriberChanges } from './subscriber-changes.service.js';
import { Subscribers } from './subscribers.service.js';
import { WebhookEntity } from './webhook.entity.js';
import { WebhookStore } from './webhook.store.js';

/** Webhooks and their secrets: created, changed, deleted by their owner; looked up by everyone else. */
@Module({
  imports: [TypeOrmModule.forFeature([WebhookEntity])],
  providers: [WebhookStore, KnownWebhooks, Subscribers, SubscriberChanges, ManageWebhooks],
  exports: [WebhookStore, KnownWebhooks, Subscribers, ManageWebhooks],
})
export class WebhooksModule {}
