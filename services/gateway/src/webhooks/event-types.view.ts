// The catalogue of events: when each is sent, the schema of its request, and an example.
import { webhookEventTypes, webhookPayloadSchema, type WebhookEventType } from '@kiln/contracts';
import { z } from 'zod';
import { examplePayload } from '../routes/webhooks.examples.js';

export const eventSummaries: Record<WebhookEventType, string> = {
  'file.created': 'A file was registered.',
  'file.deleted': 'A file was deleted.',
  'file.processing.completed': 'A file was processed and is searchable.',
  'file.processing.failed': 'A file could not be processed.',
  'variant.ready': 'Variants of a file are ready.',
  'job.failed': 'A job failed.',
  'connection.synced': 'A sync of a connection is complete.',
  'connection.sync.failed': 'A sync of a connection failed.',
  'webhook.disabled': 'Another webhook was disabled because its endpoint is gone or failed for five days.',
  'webhook.test': 'A test event was requested.',
};

export const eventTypeListSchema = z.object({
  event_types: z
    .array(
      z.object({
        type: z.enum(webhookEventTypes),
        description: z.string().meta({ description: 'When the event is sent.' }),
        schema: z.record(z.string(), z.unknown()).meta({ description: 'The JSON Schema of the body of a delivery.' }),
        example: z.record(z.string(), z.unknown()).meta({ description: 'A body.' }),
      }),
    )
    .max(webhookEventTypes.length),
});

export const eventTypeList: z.output<typeof eventTypeListSchema> = {
  event_types: webhookEventTypes.map((type) => ({
    type,
    description: eventSummaries[type],
    schema: z.toJSONSchema(webhookPayloadSchema(type)),
    example: examplePayload(type),
  })),
};
