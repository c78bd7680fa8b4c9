// What the owner of a webhook has delivered on purpose: a test event, one delivery once more, or a whole window of the past. The
// event's id stays the same; the delivery is a new one, with a log of its own.
import {
  badRequest,
  conflict,
  encodeId,
  notFound,
  TEST_EVENT_TYPE,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type webhooksOperations,
} from '@kiln/contracts';
import type { Database, WakeUp } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { payloadOf } from '../domain/payload.js';
import { deliveryView } from '../store/delivery.rows.js';
import type { DeliveryStore } from '../store/delivery.store.js';
import type { EndpointQueueStore } from '../store/endpoint-queue.store.js';
import type { EventStore } from '../store/event.store.js';
import type { EventWindow, ReplayKind, ReplayStore } from '../store/replay.store.js';
import type { WebhookRow } from '../store/webhook.rows.js';
import type { WebhookStore } from '../store/webhook.store.js';
import { WEBHOOKS_WAKE_UP } from './wake-up.js';

type Operations = typeof webhooksOperations;
type Input<Name extends keyof Operations> = OperationInput<Operations[Name]>;
type Output<Name extends keyof Operations> = Promise<OperationOutput<Operations[Name]>>;

export interface DeliverAgainParts {
  database: Database;
  webhooks: WebhookStore;
  events: EventStore;
  deliveries: DeliveryStore;
  endpoints: EndpointQueueStore;
  replays: ReplayStore;
  wakeUp: WakeUp;
}

export class DeliverAgain {
  constructor(private readonly parts: DeliverAgainParts) {}

  async test({ id }: Input<'testWebhook'>, { tenantId }: CallContext): Output<'testWebhook'> {
    const webhook = await this.webhookOf(tenantId, id);
    const { database, events, endpoints } = this.parts;
    const [eventId, deliveryId] = [uuidv7(), uuidv7()];
    const createdAt = new Date().toISOString();
    const data = { webhook_id: id, message: 'This is a test. Kiln can reach this endpoint.' };
    const payload = payloadOf(eventId, webhook.organization_id, { type: TEST_EVENT_TYPE, createdAt, data });
    await database.transaction(async (transaction) => {
      const targets = [{ webhookId: webhook.id, eventId, payload, deliveryId }];
      await events.record(transaction, { tenantId, type: TEST_EVENT_TYPE, createdAt, targets });
      await endpoints.join(transaction, tenantId, [placeOf(webhook)]);
    });
    return this.queued(tenantId, webhook.id, deliveryId);
  }

  async resend(input: Input<'resendDelivery'>, { tenantId }: CallContext): Output<'resendDelivery'> {
    const webhook = await this.activeWebhookOf(tenantId, input.id);
    const { database, deliveries, endpoints } = this.parts;
    const earlier = await deliveries.find(tenantId, webhook.id, uuidOf('delivery', input.delivery_id));
    if (!earlier) throw notFound('No delivery of this webhook has this id.');
    const deliveryId = uuidv7();
    const delivery = { id: deliveryId, eventId: earlier.event_id, eventType: earlier.event_type };
    await database.transaction(async (transaction) => {
      await deliveries.enqueue(transaction, tenantId, webhook.id, [delivery]);
      await endpoints.join(transaction, tenantId, [placeOf(webhook)]);
    });
    return this.queued(tenantId, webhook.id, deliveryId);
  }

  async replay(input: Input<'replayEvents'>, { tenantId }: CallContext): Output<'replayEvents'> {
    const eventTypes = input.event_types ?? null;
    const { chosen, skipped } = await this.start('replay', tenantId, { ...input, eventTypes });
    return { replayed: chosen, skipped };
  }

  async recover(input: Input<'recoverDeliveries'>, { tenantId }: CallContext): Output<'recoverDeliveries'> {
    const { chosen } = await this.start('recover', tenantId, { ...input, eventTypes: null });
    return { recovered: chosen };
  }

  /** The window is closed before it is counted: what happens from now on is delivered anyway. */
  private async start(
    kind: ReplayKind,
    tenantId: string,
    input: { id: string; since: string; until?: string | undefined; eventTypes: readonly string[] | null },
  ) {
    const webhook = await this.activeWebhookOf(tenantId, input.id);
    const now = new Date();
    const since = new Date(input.since);
    const asked = input.until === undefined ? now : new Date(input.until);
    if (asked < since) throw badRequest('until: must not be before since');
    const until = asked > now ? now : asked;
    const window: EventWindow = { tenantId, webhookId: webhook.id, since, until, eventTypes: input.eventTypes };
    const { replays, wakeUp } = this.parts;
    const count = await replays.count(kind, window);
    if (count.chosen > 0) {
      if (!(await replays.add(uuidv7(), kind, window))) {
        throw conflict('The webhook has as many replays under way as it may. Wait until one is done.');
      }
      wakeUp.send(WEBHOOKS_WAKE_UP);
    }
    return count;
  }

  private async activeWebhookOf(tenantId: string, id: string): Promise<WebhookRow> {
    const webhook = await this.webhookOf(tenantId, id);
    if (!webhook.active) throw conflict('The webhook is not active. Set active to true first.');
    return webhook;
  }

  private async webhookOf(tenantId: string, id: string): Promise<WebhookRow> {
    const webhook = await this.parts.webhooks.find(tenantId, uuidOf('webhook', id));
    if (!webhook) throw notFound('No webhook has this id.');
    return webhook;
  }

  private async queued(tenantId: string, webhookId: string, deliveryId: string) {
    const { deliveries, wakeUp } = this.parts;
    const row = await deliveries.find(tenantId, webhookId, deliveryId);
    if (!row) throw new Error(`${encodeId('delivery', deliveryId)} was queued and is not there`);
    wakeUp.send(WEBHOOKS_WAKE_UP);
    return deliveryView(row);
  }
}

const placeOf = ({ id, failing_since }: WebhookRow) => ({ id, failing: failing_since !== null });
