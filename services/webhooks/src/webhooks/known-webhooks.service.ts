import { conflict, notFound, uuidOf } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import type { WebhookEntity } from './webhook.entity.js';
import { WebhookStore } from './webhook.store.js';

/** Finds webhooks by the id that a caller names. Throws the API's error when one does not exist. */
@Injectable()
export class KnownWebhooks {
  constructor(private readonly webhooks: WebhookStore) {}

  async get(tenantId: string, id: string): Promise<WebhookEntity> {
    const webhook = await this.webhooks.find(tenantId, uuidOf('webhook', id));
    if (!webhook) throw notFound('No webhook has this id.');
    return webhook;
  }

  async getActive(tenantId: string, id: string): Promise<WebhookEntity> {
    const webhook = await this.get(tenantId, id);
    if (!webhook.active) throw conflict('The webhook is not active. Set active to true first.');
    return webhook;
  }
}
