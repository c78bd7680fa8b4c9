// Deliveries, the events that they send, and requests to deliver events again.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { timestampSchema } from '../core/timestamps.js';
import { requestTimeSchema } from '../gateway/request-time.js';
import { webhookEventTypes } from './event-types.js';

/** The maximum length of the reason why an attempt failed. */
export const DELIVERY_ERROR_LENGTH_MAX = 1_000;
const EXCERPT_BYTES_MAX = 1_024;

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

/** One attempt in the log of a delivery. */
export const deliveryAttemptSchema = z.object({
  attempt: z.int().meta({ description: 'Counted from 1.' }),
  attempted_at: timestampSchema,
  status_code: z.int().nullable().meta({ description: 'Null if there was no response.' }),
  duration_ms: z.int().nullable(),
  error: z.string().max(DELIVERY_ERROR_LENGTH_MAX).nullable().meta({ description: 'Why the attempt failed.' }),
  response_body: z.string().max(EXCERPT_BYTES_MAX).nullable().meta({ description: 'The first 1 KiB of the response.' }),
});

export const deliverySchema = z.object({
  id: idSchema('delivery'),
  event_id: idSchema('event'),
  event_type: z.enum(webhookEventTypes),
  status: z.enum(deliveryStatuses),
  attempt: z.int().meta({ description: 'The number of attempts started so far.' }),
  status_code: z.int().nullable(),
  attempted_at: timestampSchema.nullable().meta({ description: 'The time of the last attempt.' }),
  duration_ms: z.int().nullable(),
  error: z.string().max(DELIVERY_ERROR_LENGTH_MAX).nullable(),
  response_body: z
    .string()
    .max(EXCERPT_BYTES_MAX)
    .nullable()
    .meta({ description: 'The first 1 KiB of the last response.' }),
  next_attempt_at: timestampSchema.nullable().meta({ description: 'Null if the delivery has succeeded or failed.' }),
  created_at: timestampSchema,
});

const payloadSchema = z
  .record(z.string(), z.unknown())
  .nullable()
  .default(null)
  .meta({ description: 'The body that is sent. Null when the event is no longer kept.' });

export const deliveryWithAttemptsSchema = deliverySchema.extend({
  payload: payloadSchema,
  attempts: z.array(deliveryAttemptSchema),
});

const eventTypeSchema = z.enum(webhookEventTypes, { error: `must be one of ${webhookEventTypes.join(', ')}` });

export const deliveryQuerySchema = z.object({
  status: z.enum(deliveryStatuses, { error: `must be one of ${deliveryStatuses.join(', ')}` }).optional(),
  event_type: eventTypeSchema.optional(),
  limit: limitSchema(50),
  cursor: cursorSchema,
});

export const deliveryListSchema = z.object({ deliveries: z.array(deliverySchema), next_cursor: nextCursorSchema });

/** One event for one webhook. */
export const webhookEventSchema = z.object({
  id: idSchema('event').meta({ description: 'The same as `id` in the payload and the `webhook-id` header.' }),
  type: z.enum(webhookEventTypes),
  webhook_id: idSchema('webhook'),
  delivered: z.boolean(),
  created_at: timestampSchema,
});

export const webhookEventWithPayloadSchema = webhookEventSchema.extend({ payload: payloadSchema });

export const webhookEventQuerySchema = z.object({
  event_type: eventTypeSchema.optional(),
  limit: limitSchema(50),
  cursor: cursorSchema,
});

export const webhookEventListSchema = z.object({
  events: z.array(webhookEventSchema),
  next_cursor: nextCursorSchema,
});

export const replayRequestSchema = z.object({
  since: requestTimeSchema,
  until: requestTimeSchema.optional(),
  event_types: z.array(eventTypeSchema).min(1).max(100).optional(),
});

export const replayedSchema = z.object({
  replayed: z.int().meta({ description: 'The number of events that are being delivered again in the background.' }),
  skipped: z.int().meta({ description: 'The number of events in the window whose type was not requested.' }),
});

export const recoverRequestSchema = z.object({ since: requestTimeSchema, until: requestTimeSchema.optional() });

export const recoveredSchema = z.object({
  recovered: z
    .int()
    .meta({ description: 'The number of undelivered events that are being delivered in the background.' }),
});
