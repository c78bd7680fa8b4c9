// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, Schemas } from '../core/operation-types.js';
import type { List } from '../core/list.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Webhooks {
  constructor(protected readonly transport: Transport) {}

  /**
   * Create a webhook.
   *
   * Sends events to a URL. Deliveries are signed according to Standard Webhooks 1.0. The secret is returned once. The URL must use https and resolve to a public address.
   *
   * Needs the scope `webhooks:write`.
   *
   * `POST /v1/webhooks`
   */
  create(body: Schemas['CreateWebhookRequest'], options: RequestOptions = {}): Promise<Schemas['CreatedWebhook']> {
    return this.transport.json({ method: 'POST', path: '/v1/webhooks', body, isKeyed: true }, options);
  }

  /**
   * List webhooks.
   *
   * Returns the oldest webhooks first.
   *
   * Needs the scope `webhooks:read`.
   *
   * `GET /v1/webhooks`
   */
  list(
    query: Query<'listWebhooks'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListWebhooksResponse'], Schemas['ListWebhooksResponse']['webhooks'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/webhooks', query }, 'webhooks', options);
  }

  /**
   * List the types of events.
   *
   * Each type has the JSON Schema of the body that is delivered, and an example. All types but `webhook.test` can be subscribed to.
   *
   * Needs the scope `webhooks:read`.
   *
   * `GET /v1/webhook-event-types`
   */
  listEventTypes(options: RequestOptions = {}): Promise<Schemas['ListWebhookEventTypesResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/webhook-event-types' }, options);
  }

  /**
   * Get a webhook.
   *
   * Needs the scope `webhooks:read`.
   *
   * `GET /v1/webhooks/{id}`
   */
  get(id: string, options: RequestOptions = {}): Promise<Schemas['Webhook']> {
    return this.transport.json({ method: 'GET', path: '/v1/webhooks/{id}', parameters: [id] }, options);
  }

  /**
   * Update a webhook.
   *
   * Omitted fields keep their values. While `active` is false, nothing is sent; events are recorded and can be replayed later.
   *
   * Needs the scope `webhooks:write`.
   *
   * `PATCH /v1/webhooks/{id}`
   */
  update(
    id: string,
    body: Schemas['UpdateWebhookRequest'] = {},
    options: RequestOptions = {},
  ): Promise<Schemas['Webhook']> {
    return this.transport.json({ method: 'PATCH', path: '/v1/webhooks/{id}', parameters: [id], body }, options);
  }

  /**
   * Delete a webhook.
   *
   * Needs the scope `webhooks:write`.
   *
   * `DELETE /v1/webhooks/{id}`
   */
  delete(id: string, options: RequestOptions = {}): Promise<Schemas['DeleteWebhookResponse']> {
    return this.transport.json({ method: 'DELETE', path: '/v1/webhooks/{id}', parameters: [id] }, options);
  }

  /**
   * Rotate the secret of a webhook.
   *
   * The new secret is returned once. The old secret expires immediately, or after `grace_period_seconds`; until then deliveries carry both signatures. Up to ten earlier secrets can sign at a time.
   *
   * Needs the scope `webhooks:write`.
   *
   * `POST /v1/webhooks/{id}/rotate-secret`
   */
  rotateSecret(
    id: string,
    body: Schemas['RotateWebhookSecretRequest'] = {},
    options: RequestOptions = {},
  ): Promise<Schemas['RotateWebhookSecretResponse']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/webhooks/{id}/rotate-secret', parameters: [id], body, isKeyed: true },
      options,
    );
  }

  /**
   * Send a test event.
   *
   * Queues a `webhook.test` event, regardless of the subscribed event types. The delivery shows the result.
   *
   * Needs the scope `webhooks:write`.
   *
   * `POST /v1/webhooks/{id}/test`
   */
  test(id: string, options: RequestOptions = {}): Promise<Schemas['Delivery']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/webhooks/{id}/test', parameters: [id], isKeyed: true },
      options,
    );
  }

  /**
   * Replay the events of a time window.
   *
   * Delivers the events again in the background, with the same event ids. Events are kept for 30 days.
   *
   * Needs the scope `webhooks:write`.
   *
   * `POST /v1/webhooks/{id}/replay`
   */
  replay(
    id: string,
    body: Schemas['ReplayWebhookRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['ReplayWebhookResponse']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/webhooks/{id}/replay', parameters: [id], body, isKeyed: true },
      options,
    );
  }

  /**
   * Recover undelivered events.
   *
   * Delivers, in the background, the events since the given time whose delivery failed or which occurred while the webhook was inactive.
   *
   * Needs the scope `webhooks:write`.
   *
   * `POST /v1/webhooks/{id}/recover`
   */
  recover(
    id: string,
    body: Schemas['RecoverWebhookRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['RecoverWebhookResponse']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/webhooks/{id}/recover', parameters: [id], body, isKeyed: true },
      options,
    );
  }

  /**
   * Resend a delivery.
   *
   * Creates a new delivery of the same event.
   *
   * Needs the scope `webhooks:write`.
   *
   * `POST /v1/webhooks/{id}/deliveries/{delivery_id}/resend`
   */
  resendDelivery(id: string, deliveryId: string, options: RequestOptions = {}): Promise<Schemas['Delivery']> {
    return this.transport.json(
      {
        method: 'POST',
        path: '/v1/webhooks/{id}/deliveries/{delivery_id}/resend',
        parameters: [id, deliveryId],
        isKeyed: true,
      },
      options,
    );
  }

  /**
   * List the deliveries of a webhook.
   *
   * Needs the scope `webhooks:read`.
   *
   * `GET /v1/webhooks/{id}/deliveries`
   */
  listDeliveries(
    id: string,
    query: Query<'listDeliveries'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListDeliveriesResponse'], Schemas['ListDeliveriesResponse']['deliveries'][number]> {
    return this.transport.list(
      { method: 'GET', path: '/v1/webhooks/{id}/deliveries', parameters: [id], query },
      'deliveries',
      options,
    );
  }

  /**
   * Get a delivery with its attempts.
   *
   * Needs the scope `webhooks:read`.
   *
   * `GET /v1/webhooks/{id}/deliveries/{delivery_id}`
   */
  getDelivery(id: string, deliveryId: string, options: RequestOptions = {}): Promise<Schemas['GetDeliveryResponse']> {
    return this.transport.json(
      { method: 'GET', path: '/v1/webhooks/{id}/deliveries/{delivery_id}', parameters: [id, deliveryId] },
      options,
    );
  }

  /**
   * Get an event of a webhook.
   *
   * Returns the event with the body that is sent to the webhook. Events are kept for 30 days.
   *
   * Needs the scope `webhooks:read`.
   *
   * `GET /v1/webhooks/{id}/events/{event_id}`
   */
  getEvent(id: string, eventId: string, options: RequestOptions = {}): Promise<Schemas['GetWebhookEventResponse']> {
    return this.transport.json(
      { method: 'GET', path: '/v1/webhooks/{id}/events/{event_id}', parameters: [id, eventId] },
      options,
    );
  }

  /**
   * List webhook events.
   *
   * Returns the newest events first, one entry for each subscribed webhook. Events are kept for 30 days.
   *
   * Needs the scope `webhooks:read`.
   *
   * `GET /v1/webhook-events`
   */
  listEvents(
    query: Query<'listWebhookEvents'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListWebhookEventsResponse'], Schemas['ListWebhookEventsResponse']['events'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/webhook-events', query }, 'events', options);
  }
}
