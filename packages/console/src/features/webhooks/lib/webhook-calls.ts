// The actions on webhooks, as calls of the API.
import type { Schemas } from '@kiln/sdk';
import { callsWith, type ApiCall } from '../../../ui/api-call.js';

const read = callsWith('webhooks:read');
const write = callsWith('webhooks:write');

export const listCalls: readonly ApiCall[] = [
  read('List the webhooks', 'webhooks.list'),
  read('List the event types', 'webhooks.listEventTypes'),
];

export const createCall = (body: Schemas['CreateWebhookRequest']): ApiCall => write('Create', 'webhooks.create', body);

export const updateCall = (id: string, body: Schemas['UpdateWebhookRequest']): ApiCall =>
  write('Edit', 'webhooks.update', id, body);

export const replayCall = (id: string, body: Schemas['ReplayWebhookRequest']): ApiCall =>
  write('Replay', 'webhooks.replay', id, body);

/** `deliveryId` is the open one. */
export const webhookCalls = (id: string, deliveryId: string | undefined): ApiCall[] => [
  read('Get the webhook', 'webhooks.get', id),
  read('List the deliveries', 'webhooks.listDeliveries', id),
  ...(deliveryId === undefined ? [] : deliveryCalls(id, deliveryId)),
  write('Send test event', 'webhooks.test', id),
  write('Rotate secret', 'webhooks.rotateSecret', id, { grace_period_seconds: 86_400 }),
  write('Delete', 'webhooks.delete', id),
];

const deliveryCalls = (id: string, deliveryId: string): ApiCall[] => [
  read('Get the delivery', 'webhooks.getDelivery', id, deliveryId),
  write('Resend the delivery', 'webhooks.resendDelivery', id, deliveryId),
];
