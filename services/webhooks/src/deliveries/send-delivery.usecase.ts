// Sends a test event, or resends a delivery, on request of the webhook's owner. A resend keeps the event's id and
// creates a new delivery with its own attempt log.
import {
  encodeId,
  notFound,
  payloadOf,
  TEST_EVENT_TYPE,
  uuidOf,
  type CallContext,
  type WebhooksInput,
  type WebhooksOutput,
} from '@kiln/contracts';
import { currentTrace, Database, WakeUp } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { EventStore } from '../events/event.store.js';
import { WEBHOOKS_WAKE_UP } from '../wake-ups.events.js';
import { KnownWebhooks } from '../webhooks/known-webhooks.service.js';
import { DeliveryStore } from './delivery.store.js';
import { deliveryView } from './delivery.view.js';

@Injectable()
export class SendDelivery {
  constructor(
    private readonly database: Database,
    private readonly webhooks: KnownWebhooks,
    private readonly events: EventStore,
    private readonly deliveries: DeliveryStore,
    private readonly wakeUp: WakeUp,
  ) {}

  async test({ id }: WebhooksInput<'testWebhook'>, { tenantId }: CallContext): Promise<WebhooksOutput<'testWebhook'>> {
    const webhook = await this.webhooks.get(tenantId, id);
    const [eventId, deliveryId, createdAt] = [uuidv7(), uuidv7(), new Date().toISOString()];
    const data = { webhook_id: id, message: 'This is a test. Kiln can reach this endpoint.' };
    const payload = payloadOf(eventId, webhook.organization_id, { type: TEST_EVENT_TYPE, createdAt, data });
    const row = { tenantId, webhookId: webhook.id, eventId, type: TEST_EVENT_TYPE, createdAt, payload, deliveryId };
    await this.events.record([{ ...row, traceparent: currentTrace()?.traceparent }]);
    return this.queued(tenantId, webhook.id, deliveryId);
  }

  async resend(
    input: WebhooksInput<'resendDelivery'>,
    { tenantId }: CallContext,
  ): Promise<WebhooksOutput<'resendDelivery'>> {
    const webhook = await this.webhooks.getActive(tenantId, input.id);
    const earlier = await this.deliveries.find(tenantId, webhook.id, uuidOf('delivery', input.delivery_id));
    if (!earlier) throw notFound('No delivery of this webhook has this id.');
    const deliveryId = uuidv7();
    const delivery = { id: deliveryId, eventId: earlier.event_id, eventType: earlier.event_type };
    await this.deliveries.enqueue(this.database, tenantId, webhook.id, [delivery]);
    return this.queued(tenantId, webhook.id, deliveryId);
  }

  private async queued(tenantId: string, webhookId: string, deliveryId: string) {
    const row = await this.deliveries.find(tenantId, webhookId, deliveryId);
    if (!row) throw new Error(`${encodeId('delivery', deliveryId)} was queued and is not there`);
    this.wakeUp.send(WEBHOOKS_WAKE_UP);
    return deliveryView(row);
  }
}
