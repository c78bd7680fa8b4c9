// What webhooks tell the world: the public event types, and the data of each. Thin: ids and what is needed to decide whether to
// ask for more. A changed meaning gets a new type beside the old one.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { providerSchema, variantTypeSchema } from '../files/schemas.js';
import { jobErrorSchema } from '../jobs/schemas.js';

const fileDataSchema = z.object({
  file_id: idSchema('file'),
  job_id: idSchema('job').nullable().default(null),
  space: z.string(),
  filename: z.string(),
  content_type: z.string().nullable().default(null),
  provider: providerSchema.nullable().default(null),
  variants: z.array(variantTypeSchema).default([]).meta({ description: 'those that the event is about' }),
});

const connectionDataSchema = z.object({
  connection_id: idSchema('connection'),
  sync_id: idSchema('sync'),
  files_added: z.int(),
  files_updated: z.int(),
  files_deleted: z.int(),
});

export const webhookDisabledReasons = ['gone', 'failing'] as const;

/** `gone`: the endpoint answered 410. `failing`: nothing was delivered to it for five days, and attempts kept failing. */
export const webhookDisabledDataSchema = z.object({
  webhook_id: idSchema('webhook'),
  url: z.string(),
  reason: z.enum(webhookDisabledReasons),
  failing_since: z.iso.datetime().nullable(),
});

/** The public types in the order in which they are documented, with the schema of `data`. */
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

/** Sent only by `POST /v1/webhooks/:id/test`, whatever the webhook subscribes to. */
export const TEST_EVENT_TYPE = 'webhook.test' satisfies WebhookEventType;

export const webhookEventTypes = Object.keys(webhookEventData) as [WebhookEventType, ...WebhookEventType[]];

/** Stands for all types, those to come included. */
export const ALL_EVENTS = '*';

export const subscriptions = [...webhookEventTypes.filter((type) => type !== TEST_EVENT_TYPE), ALL_EVENTS] as const;

/** What an endpoint gets: the body of the request, of one type. */
export function webhookPayloadSchema(type: WebhookEventType) {
  return z.object({
    id: idSchema('event').meta({ description: 'the same over retries and replays; also the header webhook-id' }),
    type: z.literal(type),
    created_at: z.iso.datetime().meta({ description: 'when it happened', examples: ['2026-11-21T09:30:08.000Z'] }),
    org_id: idSchema('organization'),
    data: webhookEventData[type],
  });
}
