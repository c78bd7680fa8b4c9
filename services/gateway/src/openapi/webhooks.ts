// The `webhooks` part of the document: the requests that Kiln sends, one for each type of event.
import { webhookEventTypes, webhookPayloadSchema, type WebhookEventType } from '@kiln/contracts';
import type { z } from 'zod';
import { examplePayload } from '../routes/webhooks.examples.js';

type JsonObject = Record<string, unknown>;

const SUMMARIES: Record<WebhookEventType, string> = {
  'file.created': 'A file was registered',
  'file.deleted': 'A file was deleted',
  'file.processing.completed': 'A file was processed and is searchable',
  'file.processing.failed': 'A file could not be processed',
  'variant.ready': 'A variant of a file is ready',
  'job.failed': 'A job failed',
  'connection.synced': 'A sync of a connection is complete',
  'connection.sync.failed': 'A sync of a connection failed',
  'webhook.disabled': 'Another webhook was disabled because its endpoint is gone or failed for five days',
  'webhook.test': 'A test event was requested',
};

const DESCRIPTION =
  'Signed according to [Standard Webhooks](https://www.standardwebhooks.com); verify the signature before you trust the body. ' +
  'Respond with any 2xx status within 15 seconds. Any other result is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, ' +
  'or later if `Retry-After` asks for it. A 410 response disables the webhook. An event can be delivered more than once and out ' +
  'of order; use `id` to detect duplicates.';

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const parameters = [
  header('webhook-id', 'The id of the event; the same for retries and replays.'),
  header('webhook-timestamp', 'The time of this attempt, in seconds since 1970-01-01 UTC.'),
  header(
    'webhook-signature',
    '`v1,` followed by the base64-encoded HMAC-SHA256 of id, timestamp and body. Several signatures are separated by spaces.',
  ),
];

const pascalCase = (type: string) => type.replace(/(^|\.)(\w)/g, (_all, _dot, letter: string) => letter.toUpperCase());

/** Name in the document and schema of each payload. */
export const webhookPayloads: readonly (readonly [type: WebhookEventType, name: string, schema: z.ZodType])[] =
  webhookEventTypes.map((type) => [type, `${pascalCase(type)}Event`, webhookPayloadSchema(type)]);

export function webhooksOf(reference: (schema: z.ZodType) => JsonObject): JsonObject {
  return Object.fromEntries(
    webhookPayloads.map(([type, name, schema]) => [
      type,
      {
        post: {
          operationId: `on${name}`,
          tags: ['Webhooks'],
          summary: SUMMARIES[type],
          description: DESCRIPTION,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: reference(schema), example: examplePayload(type) } },
          },
          responses: { '2XX': { description: 'The event was accepted.' } },
        },
      },
    ]),
  );
}
