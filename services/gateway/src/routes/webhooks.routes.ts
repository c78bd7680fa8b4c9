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

const params = z.object({ id: idSchema('webhook') });
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export const webhooksRoutes = [
  operationRoute({
    name: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    summary: 'Create a webhook.',
    description:
      'Sends events to a URL. Deliveries are signed according to Standard Webhooks 1.0. The secret is returned ' +
      'once. The URL must use https and resolve to a public address.',
    scope: 'webhooks:write',
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
    method: 'GET',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    summary: 'List webhooks.',
    description: 'Returns the oldest webhooks first.',
    scope: 'webhooks:read',
    query: webhookQuerySchema,
    operation: webhooksOperations.listWebhooks,
    example: { response: { webhooks: [exampleWebhook], next_cursor: null } },
  }),
  handlerRoute({
    name: 'listWebhookEventTypes',
    method: 'GET',
    path: '/v1/webhook-event-types',
    tag: 'Webhooks',
    summary: 'List the types of events.',
    description:
      'Each type has the JSON Schema of the body that is delivered, and an example. All types but `webhook.test` can be subscribed to.',
    scope: 'webhooks:read',
    handler: eventTypeList,
    response: eventTypeListSchema,
    example: { response: { event_types: eventTypeList().event_types.slice(0, 1) } },
  }),
  operationRoute({
    name: 'getWebhook',
    method: 'GET',
    path: '/v1/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Get a webhook.',
    scope: 'webhooks:read',
    params,
    operation: webhooksOperations.getWebhook,
    example: { response: exampleWebhook },
  }),
  operationRoute({
    name: 'updateWebhook',
    method: 'PATCH',
    path: '/v1/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Update a webhook.',
    description:
      'Omitted fields keep their values. While `active` is false, nothing is sent; events are recorded and can be replayed later.',
    scope: 'webhooks:write',
    params,
    body: webhookChangesSchema,
    operation: webhooksOperations.updateWebhook,
    example: { request: { events: ['*'], active: true }, response: { ...exampleWebhook, events: ['*'] } },
  }),
  operationRoute({
    name: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Delete a webhook.',
    scope: 'webhooks:write',
    params,
    operation: webhooksOperations.deleteWebhook,
    example: { response: { deleted: true } },
  }),
  operationRoute({
    name: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhooks/:id/rotate-secret',
    tag: 'Webhooks',
    summary: 'Rotate the secret of a webhook.',
    description:
      'The new secret is returned once. The old secret expires immediately, or after `grace_period_seconds`; until then deliveries carry both signatures. Up to ten earlier secrets can sign at a time.',
    scope: 'webhooks:write',
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
