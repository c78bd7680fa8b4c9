import {
  deliveryQuerySchema,
  idSchema,
  recoverRequestSchema,
  replayRequestSchema,
  webhooksOperations,
} from '@kiln/contracts';
import { z } from 'zod';
import { operationRoute } from './kinds.route.js';
import { exampleDelivery, examplePayload, exampleWebhook } from './webhooks.examples.js';

const writing = { tag: 'Webhooks', scope: 'webhooks:write' } as const;
const reading = { method: 'GET', tag: 'Webhooks', scope: 'webhooks:read' } as const;

const params = z.object({ id: idSchema('webhook') });
const deliveryParams = params.extend({ delivery_id: idSchema('delivery') });

/** Times are sent as ISO 8601. */
const windowOf = ({ since, until }: { since: Date; until?: Date | undefined }) => ({
  since: since.toISOString(),
  ...(until && { until: until.toISOString() }),
});

const exampleEvent = {
  id: exampleDelivery.event_id,
  type: exampleDelivery.event_type,
  webhook_id: exampleWebhook.id,
  delivered: true,
  created_at: exampleDelivery.created_at,
};

export const webhookDeliveriesRoutes = [
  operationRoute({
    name: 'testWebhook',
    ...writing,
    method: 'POST',
    path: '/v1/webhooks/:id/test',
    summary: 'Send a test event.',
    description:
      'Queues a `webhook.test` event, regardless of the subscribed event types. The delivery shows the result.',
    params,
    operation: webhooksOperations.testWebhook,
    example: {
      response: {
        ...exampleDelivery,
        event_type: 'webhook.test',
        status: 'pending',
        attempt: 0,
        status_code: null,
        attempted_at: null,
        duration_ms: null,
        response_body: null,
        next_attempt_at: '2026-11-21 09:30:08',
      },
    },
  }),
  operationRoute({
    name: 'replayWebhook',
    ...writing,
    method: 'POST',
    path: '/v1/webhooks/:id/replay',
    summary: 'Replay the events of a time window.',
    description: 'Delivers the events again in the background, with the same event ids. Events are kept for 30 days.',
    params,
    body: replayRequestSchema,
    operation: webhooksOperations.replayEvents,
    input: ({ params, body }) => ({ ...params, ...windowOf(body), event_types: body.event_types }),
    example: {
      request: { since: '2026-11-20T00:00:00Z', event_types: ['file.processing.completed'] },
      response: { replayed: 120, skipped: 14 },
    },
  }),
  operationRoute({
    name: 'recoverWebhook',
    ...writing,
    method: 'POST',
    path: '/v1/webhooks/:id/recover',
    summary: 'Recover undelivered events.',
    description:
      'Delivers, in the background, the events since the given time whose delivery failed or which occurred while the webhook was inactive.',
    params,
    body: recoverRequestSchema,
    operation: webhooksOperations.recoverDeliveries,
    input: ({ params, body }) => ({ ...params, ...windowOf(body) }),
    example: { request: { since: '2026-11-20T00:00:00Z' }, response: { recovered: 14 } },
  }),
  operationRoute({
    name: 'resendDelivery',
    ...writing,
    method: 'POST',
    path: '/v1/webhooks/:id/deliveries/:delivery_id/resend',
    summary: 'Resend a delivery.',
    description: 'Creates a new delivery of the same event.',
    params: deliveryParams,
    operation: webhooksOperations.resendDelivery,
    example: { response: exampleDelivery },
  }),
  operationRoute({
    name: 'listDeliveries',
    ...reading,
    path: '/v1/webhooks/:id/deliveries',
    summary: 'List the deliveries of a webhook.',
    params,
    query: deliveryQuerySchema,
    operation: webhooksOperations.listDeliveries,
    example: { response: { deliveries: [exampleDelivery], next_cursor: null } },
  }),
  operationRoute({
    name: 'getDelivery',
    ...reading,
    path: '/v1/webhooks/:id/deliveries/:delivery_id',
    summary: 'Get a delivery with its attempts.',
    params: deliveryParams,
    operation: webhooksOperations.getDelivery,
    example: {
      response: {
        ...exampleDelivery,
        payload: examplePayload('file.processing.completed'),
        attempts: [
          {
            attempt: 1,
            attempted_at: exampleDelivery.attempted_at,
            status_code: 204,
            duration_ms: 38,
            error: null,
            response_body: '',
          },
        ],
      },
    },
  }),
  operationRoute({
    name: 'getWebhookEvent',
    ...reading,
    path: '/v1/webhooks/:id/events/:event_id',
    summary: 'Get an event of a webhook.',
    description: 'Returns the event with the body that is sent to the webhook. Events are kept for 30 days.',
    params: params.extend({ event_id: idSchema('event') }),
    operation: webhooksOperations.getEvent,
    example: { response: { ...exampleEvent, payload: examplePayload('file.processing.completed') } },
  }),
  operationRoute({
    name: 'listWebhookEvents',
    ...reading,
    path: '/v1/webhook-events',
    summary: 'List webhook events.',
    description: 'Returns the newest events first, one entry for each subscribed webhook. Events are kept for 30 days.',
    query: webhooksOperations.listEvents.input,
    operation: webhooksOperations.listEvents,
    example: {
      response: {
        events: [exampleEvent],
        next_cursor: null,
      },
    },
  }),
];
