import { Module } from '@nestjs/common';
import { KnownWebhooks } from './known-webhooks.service.js';
import { ManageWebhooks } from './manage-webhooks.usecase.js';
import { SubscriberChanges } from './subscriber-changes.service.js';
import { Subscribers } from './subscribers.service.js';
import { WebhookStore } from './webhook.store.js';
import { WebhooksController } from './webhooks.controller.js';

/** Webhooks and their secrets: their owner creates, changes and deletes them, and other features look them up. */
@Module({
  controllers: [WebhooksController],
  providers: [WebhookStore, KnownWebhooks, Subscribers, SubscriberChanges, ManageWebhooks],
  exports: [KnownWebhooks, Subscribers],
})
export class WebhooksModule {}
