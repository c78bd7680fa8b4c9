// What was sent and what came of it, newest first, page by page.
import {
  decodeCursor,
  encodeCursor,
  notFound,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type webhooksOperations,
} from '@kiln/contracts';
import { z } from 'zod';
import { attemptView, deliveryView } from '../store/delivery.rows.js';
import type { DeliveryStore } from '../store/delivery.store.js';
import { eventView, type EventStore } from '../store/event.store.js';
import type { WebhookStore } from '../store/webhook.store.js';

type Operations = typeof webhooksOperations;
type Input<Name extends keyof Operations> = OperationInput<Operations[Name]>;
type Output<Name extends keyof Operations> = Promise<OperationOutput<Operations[Name]>>;

const keyset = z.tuple([z.uuid()]);

/** One row more than asked for tells whether there is a next page. */
function pageOf<Row extends { id: string }>(rows: Row[], limit: number, scope: string) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: rows.length > limit && last ? encodeCursor(scope, [last.id]) : null };
}

const beforeOf = (scope: string, cursor: string | undefined) =>
  cursor === undefined ? undefined : decodeCursor(scope, cursor, keyset)[0];

export class ReadDeliveries {
  constructor(
    private readonly webhooks: WebhookStore,
    private readonly deliveries: DeliveryStore,
    private readonly events: EventStore,
  ) {}

  async list(input: Input<'listDeliveries'>, { tenantId }: CallContext): Output<'listDeliveries'> {
    const { status, event_type: eventType, limit, cursor } = input;
    const webhookId = await this.webhookOf(tenantId, input.id);
    const scope = `deliveries:${tenantId}:${webhookId}`;
    const before = beforeOf(scope, cursor);
    const rows = await this.deliveries.list({ tenantId, webhookId, status, eventType, before, limit: limit + 1 });
    const { page, next_cursor } = pageOf(rows, limit, scope);
    return { deliveries: page.map(deliveryView), next_cursor };
  }

  async get(input: Input<'getDelivery'>, { tenantId }: CallContext): Output<'getDelivery'> {
    const webhookId = await this.webhookOf(tenantId, input.id);
    const deliveryId = uuidOf('delivery', input.delivery_id);
    const row = await this.deliveries.find(tenantId, webhookId, deliveryId);
    if (!row) throw notFound('No delivery of this webhook has this id.');
    const attempts = await this.deliveries.attempts(tenantId, deliveryId);
    return { ...deliveryView(row), attempts: attempts.map(attemptView) };
  }

  async listEvents(input: Input<'listEvents'>, { tenantId }: CallContext): Output<'listEvents'> {
    const { event_type: type, limit, cursor } = input;
    const scope = `webhook-events:${tenantId}`;
    const rows = await this.events.list({ tenantId, type, before: beforeOf(scope, cursor), limit: limit + 1 });
    const { page, next_cursor } = pageOf(rows, limit, scope);
    return { events: page.map(eventView), next_cursor };
  }

  private async webhookOf(tenantId: string, id: string): Promise<string> {
    const webhookId = uuidOf('webhook', id);
    if (!(await this.webhooks.find(tenantId, webhookId))) throw notFound('No webhook has this id.');
    return webhookId;
  }
}
