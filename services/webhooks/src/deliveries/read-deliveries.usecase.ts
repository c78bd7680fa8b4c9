// Lists deliveries with their outcome, newest first.
import {
  decodeCursor,
  notFound,
  pageOf,
  uuidOf,
  type CallContext,
  type WebhooksInput,
  type WebhooksOutput,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { attemptView, deliveryView } from './delivery.view.js';
import { DeliveryStore } from './delivery.store.js';
import { KnownWebhooks } from '../webhooks/known-webhooks.service.js';

const keyset = z.tuple([z.uuid()]);

const keysetOf = ({ id }: { id: string }) => [id];

const beforeOf = (scope: string, cursor: string | undefined) =>
  cursor === undefined ? undefined : decodeCursor(scope, cursor, keyset)[0];

@Injectable()
export class ReadDeliveries {
  constructor(
    private readonly webhooks: KnownWebhooks,
    private readonly deliveries: DeliveryStore,
  ) {}

  async list(
    input: WebhooksInput<'listDeliveries'>,
    { tenantId }: CallContext,
  ): Promise<WebhooksOutput<'listDeliveries'>> {
    const { status, event_type: eventType, limit, cursor } = input;
    const { id: webhookId } = await this.webhooks.get(tenantId, input.id);
    const scope = `deliveries:${tenantId}:${webhookId}`;
    const before = beforeOf(scope, cursor);
    const rows = await this.deliveries.list({ tenantId, webhookId, status, eventType, before, limit: limit + 1 });
    const page = pageOf(rows, { limit, scope, view: deliveryView, keyset: keysetOf });
    return { deliveries: page.items, next_cursor: page.next_cursor };
  }

  async get(input: WebhooksInput<'getDelivery'>, { tenantId }: CallContext): Promise<WebhooksOutput<'getDelivery'>> {
    const { id: webhookId } = await this.webhooks.get(tenantId, input.id);
    const deliveryId = uuidOf('delivery', input.delivery_id);
    const row = await this.deliveries.find(tenantId, webhookId, deliveryId);
    if (!row) throw notFound('No delivery of this webhook has this id.');
    const attempts = await this.deliveries.attempts(tenantId, deliveryId);
    const payload = row.payload === null ? null : (JSON.parse(row.payload) as Record<string, unknown>);
    return { ...deliveryView(row), payload, attempts: attempts.map(attemptView) };
  }
}
