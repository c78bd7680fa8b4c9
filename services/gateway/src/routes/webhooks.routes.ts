import {
  idSchema,
  newWebhookSchema,
  rotateSecretSchema,
  webhookChangesSchema,
  webhookQuerySchema,
  webhooksOperations,
} from '@kiln/contracts';
import { z } from 'zod';
import { exampleWebhook } from './webhooks.examples.js';
import { eventTypeList, eventTypeListSchema } from '../webhooks/event-types.view.js';
import { handlerRoute, operationRoute } from './kinds.route.js';

const writing = { tag: 'Webhooks', scope: 'webhooks:write' } as const;
const reading = { method: 'GET', tag: 'Webhooks', scope: 'webhooks:read' } as const;

const params = z.object({ id: idSchema('webhook') });
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export const webhooksRoutes = [
  operationRoute({
    name: 'createWebhook',
    ...writing,
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Create a webhook.',
    description:
      'Sends events to a URL. Deliveries are signed according to Standard Webhooks 1.0. The secret is returned ' +
      'once. The URL must use https and resolve to a public address.',
    body: newWebhookSchema,
    operation: webhooksOperations.createWebhook,
    input: ({ body, caller, ids }) => ({
      ...body,
      // A repeat gets the secret of the first attempt, so it must come with the same credentials.
      id: ids.id('webhook', caller.principal),
      org_id: caller.organizationId,
    }),
    success: 201,
    secret: true,
    example: {
      request: { url: exampleWebhook.url, events: exampleWebhook.events },
      response: { ...exampleWebhook, secret: exampleSecret },
    },
  }),
  operationRoute({
    name: 'listWebhooks',
    ...reading,
    path: '/v1/webhooks',
    summary: 'List webhooks.',
    description: 'Returns the oldest webhooks first.',
    query: webhookQuerySchema,
    operation: webhooksOperations.listWebhooks,
    example: { response: { webhooks: [exampleWebhook], next_cursor: null } },
  }),
  handlerRoute({
    name: 'listWebhookEventTypes',
    ...reading,
    path: '/v1/webhook-event-types',
    summary: 'List the types of events.',
    description:
      'Each type has the JSON Schema of the body that is delivered, and an example. All types but `webhook.test` can be subscribed to.',
    handler: () => eventTypeList,
    response: eventTypeListSchema,
    example: { response: { event_types: eventTypeList.event_types.slice(0, 1) } },
  }),
  operationRoute({
    name: 'getWebhook',
    ...reading,
    path: '/v1/webhooks/:id',
    summary: 'Get a webhook.',
    params,
    operation: webhooksOperations.getWebhook,
    example: { response: exampleWebhook },
  }),
  operationRoute({
    name: 'updateWebhook',
    ...writing,
    method: 'PATCH',
    path: '/v1/webhooks/:id',
    summary: 'Update a webhook.',
    description:
      'Omitted fields keep their values. While `active` is false, nothing is sent; events are recorded and can be replayed later.',
    params,
    body: webhookChangesSchema,
    operation: webhooksOperations.updateWebhook,
    example: { request: { events: ['*'], active: true }, response: { ...exampleWebhook, events: ['*'] } },
  }),
  operationRoute({
    name: 'deleteWebhook',
    ...writing,
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    summary: 'Delete a webhook.',
    params,
    operation: webhooksOperations.deleteWebhook,
    example: { response: { deleted: true } },
  }),
  operationRoute({
    name: 'rotateWebhookSecret',
    ...writing,
    method: 'POST',
    path: '/v1/webhooks/:id/rotate-secret',
    summary: 'Rotate the secret of a webhook.',
    description:
      'The new secret is returned once. The old secret expires immediately, or after `grace_period_seconds`; until then deliveries carry both signatures. Up to ten earlier secrets can sign at a time.',
    params,
    body: rotateSecretSchema,
    operation: webhooksOperations.rotateSecret,
    secret: true,
    example: {
      request: { grace_period_seconds: 86_400 },
      response: { id: exampleWebhook.id, secret: exampleSecret, previous_secret_expires_at: '2026-11-22 09:30:00' },
    },
  }),
];
