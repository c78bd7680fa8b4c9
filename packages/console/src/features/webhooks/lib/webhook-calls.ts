// The actions on webhooks, as calls of the API.
import type { Schemas } from '@kiln/sdk';
import type { ApiCall } from '../../../ui/api-call.js';

const read = { scope: 'webhooks:read', method: 'GET' } as const;
const write = { scope: 'webhooks:write', method: 'POST' } as const;

export const listCalls: readonly ApiCall[] = [
  { title: 'List the webhooks', ...read, path: '/v1/webhooks', sdk: 'webhooks.list', args: [] },
  {
    title: 'List the event types',
    ...read,
    path: '/v1/webhook-event-types',
    sdk: 'webhooks.listEventTypes',
    args: [],
  },
];

export const createCall = (body: Schemas['CreateWebhookRequest']): ApiCall => ({
  title: 'Create',
  ...write,
  path: '/v1/webhooks',
  body,
  sdk: 'webhooks.create',
  args: [body],
});

export const updateCall = (id: string, body: Schemas['UpdateWebhookRequest']): ApiCall => ({
  title: 'Edit',
  ...write,
  method: 'PATCH',
  path: `/v1/webhooks/${id}`,
  body,
  sdk: 'webhooks.update',
  args: [id, body],
});

export const replayCall = (id: string, body: Schemas['ReplayWebhookRequest']): ApiCall => ({
  title: 'Replay',
  ...write,
  path: `/v1/webhooks/${id}/replay`,
  body,
  sdk: 'webhooks.replay',
  args: [id, body],
});

const ROTATION = { grace_period_seconds: 86_400 };

/** `deliveryId` is the open one. */
export function webhookCalls(id: string, deliveryId: string | undefined): ApiCall[] {
  const path = `/v1/webhooks/${id}`;
  return [
    { title: 'Get the webhook', ...read, path, sdk: 'webhooks.get', args: [id] },
    { title: 'List the deliveries', ...read, path: `${path}/deliveries`, sdk: 'webhooks.listDeliveries', args: [id] },
    ...(deliveryId === undefined ? [] : deliveryCalls(id, deliveryId)),
    { title: 'Send test event', ...write, path: `${path}/test`, sdk: 'webhooks.test', args: [id] },
    {
      title: 'Rotate secret',
      ...write,
      path: `${path}/rotate-secret`,
      body: ROTATION,
      sdk: 'webhooks.rotateSecret',
      args: [id, ROTATION],
    },
    { title: 'Delete', ...write, method: 'DELETE', path, sdk: 'webhooks.delete', args: [id] },
  ];
}

function deliveryCalls(id: string, deliveryId: string): ApiCall[] {
  const path = `/v1/webhooks/${id}/deliveries/${deliveryId}`;
  return [
    { title: 'Get the delivery', ...read, path, sdk: 'webhooks.getDelivery', args: [id, deliveryId] },
    {
      title: 'Resend the delivery',
      ...write,
      path: `${path}/resend`,
      sdk: 'webhooks.resendDelivery',
      args: [id, deliveryId],
    },
  ];
}
