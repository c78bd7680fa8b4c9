// The public event types and their data. Thin events: ids and what a receiver needs to decide whether to
// fetch more. If the meaning of a type changes, add a new type.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { fileLabelsSchema, providerSchema, variantTypeSchema } from '../files/schemas.js';
import { jobErrorSchema } from '../jobs/schemas.js';

const fileDataSchema = fileLabelsSchema.extend({
  file_id: idSchema('file'),
  job_id: idSchema('job').nullable().default(null),
  space: z.string(),
  filename: z.string(),
  content_type: z.string().nullable().default(null),
  provider: providerSchema.nullable().default(null),
  variants: z.array(variantTypeSchema).default([]).meta({ description: 'The variants the event is about.' }),
});

const connectionDataSchema = z.object({
  connection_id: idSchema('connection'),
  sync_id: idSchema('sync'),
  files_added: z.int(),
  files_updated: z.int(),
  files_deleted: z.int(),
});

export const webhookDisabledReasons = ['gone', 'failing'] as const;

/** `gone`: the endpoint responded with 410. `failing`: every attempt failed for five days. */
export const webhookDisabledDataSchema = z.object({
  webhook_id: idSchema('webhook'),
  url: z.string(),
  reason: z.enum(webhookDisabledReasons),
  failing_since: z.iso.datetime().nullable(),
});

/** The public types in documentation order, with the schema of `data`. */
export const webhookEventData = {
  'file.created': fileDataSchema,
  'file.deleted': fileDataSchema,
  'file.processing.completed': fileDataSchema,
  'file.processing.failed': fileDataSchema.extend({ error: jobErrorSchema }),
  'variant.ready': fileDataSchema,
  'job.failed': z.object({
    job_id: idSchema('job'),
    file_id: idSchema('file'),
    attempts: z.int(),
    error: jobErrorSchema,
  }),
  'connection.synced': connectionDataSchema,
  'connection.sync.failed': connectionDataSchema.extend({
    error: z.object({ code: z.string(), message: z.string() }).nullable().default(null),
  }),
  'webhook.disabled': webhookDisabledDataSchema,
  'webhook.test': z.object({ webhook_id: idSchema('webhook'), message: z.string() }),
} as const satisfies Record<string, z.ZodObject>;

export type WebhookEventType = keyof typeof webhookEventData;

/** Sent only by `POST /v1/webhooks/:id/test`, regardless of the subscribed types. */
export const TEST_EVENT_TYPE = 'webhook.test' satisfies WebhookEventType;

export const webhookEventTypes = Object.keys(webhookEventData) as [WebhookEventType, ...WebhookEventType[]];

/** Matches all types, including future ones. */
export const ALL_EVENTS = '*';

export const subscriptions = [...webhookEventTypes.filter((type) => type !== TEST_EVENT_TYPE), ALL_EVENTS] as const;

/** The body of a webhook request, by event type. */
export function webhookPayloadSchema(type: WebhookEventType) {
  return z.object({
    id: idSchema('event').meta({ description: 'The same for retries and replays, and in the `webhook-id` header.' }),
    type: z.literal(type),
    created_at: z.iso
      .datetime()
      .meta({ description: 'The time at which the event occurred.', examples: ['2026-11-21T09:30:08.000Z'] }),
    org_id: idSchema('organization'),
    data: webhookEventData[type],
  });
}
