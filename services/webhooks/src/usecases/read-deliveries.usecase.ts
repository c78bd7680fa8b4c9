// What was sent and what came of it, newest first, page by page.
import {
  decodeCursor,
  notFound,
  pageOf,
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

const keysetOf = ({ id }: { id: string }) => [id];

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
    const page = pageOf(rows, { limit, scope, view: deliveryView, keyset: keysetOf });
    return { deliveries: page.items, next_cursor: page.next_cursor };
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
    const page = pageOf(rows, { limit, scope, view: eventView, keyset: keysetOf });
    return { events: page.items, next_cursor: page.next_cursor };
  }

  private async webhookOf(tenantId: string, id: string): Promise<string> {
    const webhookId = uuidOf('webhook', id);
    if (!(await this.webhooks.find(tenantId, webhookId))) throw notFound('No webhook has this id.');
    return webhookId;
  }
}
