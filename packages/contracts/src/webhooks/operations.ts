import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { nextCursorSchema } from '../core/pagination.js';
import { operation, type OperationInput, type OperationOutput } from '../core/operation.js';
import {
  deliveryListSchema,
  deliveryQuerySchema,
  deliverySchema,
  deliveryWithAttemptsSchema,
  recoveredSchema,
  recoverRequestSchema,
  replayedSchema,
  replayRequestSchema,
  webhookEventListSchema,
  webhookEventQuerySchema,
  webhookEventWithPayloadSchema,
} from './delivery-schemas.js';
import {
  createdWebhookSchema,
  newWebhookSchema,
  rotatedSecretSchema,
  rotateSecretSchema,
  webhookChangesSchema,
  webhookQuerySchema,
  webhookSchema,
} from './schemas.js';

const idInput = z.object({ id: idSchema('webhook') });
const deliveryInput = idInput.extend({ delivery_id: idSchema('delivery') });
/** The gateway has parsed the times; they are sent as ISO 8601. */
const windowInput = { since: z.iso.datetime(), until: z.iso.datetime().optional() };

export const webhooksOperations = {
  createWebhook: operation({
    subject: 'webhooks.createWebhook.v1',
    input: newWebhookSchema.extend({
      id: idSchema('webhook').meta({ description: 'made by the caller, so that a repeat is recognised' }),
      org_id: idSchema('organization').meta({ description: 'stands in the payloads' }),
    }),
    output: createdWebhookSchema,
    errors: ['CONFLICT'],
    timeoutMs: 8_000,
    idempotent: true,
    revision: 2,
    revisionOf: ({ spaces }) => (spaces === undefined ? 1 : 2),
  }),
  listWebhooks: operation({
    subject: 'webhooks.listWebhooks.v1',
    input: webhookQuerySchema,
    /** A service of an earlier release returns all webhooks. */
    output: z.object({ webhooks: z.array(webhookSchema), next_cursor: nextCursorSchema.default(null) }),
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
    revision: 2,
    revisionOf: ({ cursor }) => (cursor === undefined ? 1 : 2),
  }),
  getWebhook: operation({
    subject: 'webhooks.getWebhook.v1',
    input: idInput,
    output: webhookSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  updateWebhook: operation({
    subject: 'webhooks.updateWebhook.v1',
    input: webhookChangesSchema.extend(idInput.shape),
    output: webhookSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 8_000,
    idempotent: true,
    revision: 2,
    revisionOf: ({ spaces }) => (spaces === undefined ? 1 : 2),
  }),
  deleteWebhook: operation({
    subject: 'webhooks.deleteWebhook.v1',
    input: idInput,
    output: z.object({ deleted: z.literal(true) }),
    errors: ['NOT_FOUND'],
    timeoutMs: 5_000,
    idempotent: false,
  }),
  rotateSecret: operation({
    subject: 'webhooks.rotateSecret.v1',
    input: rotateSecretSchema.extend(idInput.shape),
    output: rotatedSecretSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: 3_000,
    idempotent: false,
  }),
  /** Queues a `webhook.test` event, also for an inactive webhook. */
  testWebhook: operation({
    subject: 'webhooks.testWebhook.v1',
    input: idInput,
    output: deliverySchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: false,
  }),
  listDeliveries: operation({
    subject: 'webhooks.listDeliveries.v1',
    input: deliveryQuerySchema.extend(idInput.shape),
    output: deliveryListSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  getDelivery: operation({
    subject: 'webhooks.getDelivery.v1',
    input: deliveryInput,
    output: deliveryWithAttemptsSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** A new delivery of the same event. */
  resendDelivery: operation({
    subject: 'webhooks.resendDelivery.v1',
    input: deliveryInput,
    output: deliverySchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: 3_000,
    idempotent: false,
  }),
  replayEvents: operation({
    subject: 'webhooks.replayEvents.v1',
    input: replayRequestSchema.extend({ ...idInput.shape, ...windowInput }),
    output: replayedSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: 10_000,
    idempotent: false,
  }),
  recoverDeliveries: operation({
    subject: 'webhooks.recoverDeliveries.v1',
    input: recoverRequestSchema.extend({ ...idInput.shape, ...windowInput }),
    output: recoveredSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: 10_000,
    idempotent: false,
  }),
  listEvents: operation({
    subject: 'webhooks.listEvents.v1',
    input: webhookEventQuerySchema,
    output: webhookEventListSchema,
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /** Of one webhook. */
  getEvent: operation({
    subject: 'webhooks.getEvent.v1',
    input: idInput.extend({ event_id: idSchema('event') }),
    output: webhookEventWithPayloadSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};

type WebhooksOperations = typeof webhooksOperations;
export type WebhooksInput<Name extends keyof WebhooksOperations> = OperationInput<WebhooksOperations[Name]>;
export type WebhooksOutput<Name extends keyof WebhooksOperations> = OperationOutput<WebhooksOperations[Name]>;
