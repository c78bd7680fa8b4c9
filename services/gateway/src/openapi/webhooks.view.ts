// The `webhooks` part of the document: the requests that Kiln sends, one for each type of event, and the requests to own
// extractors.
import {
  extractionRequestSchema,
  extractionResultSchema,
  webhookEventTypes,
  webhookPayloadSchema,
  type WebhookEventType,
} from '@kiln/contracts';
import type { z } from 'zod';
import { exampleExtraction, exampleExtractionResult } from '../routes/extractions.routes.js';
import { examplePayload } from '../routes/webhooks.examples.js';
import { eventSummaries } from '../webhooks/event-types.view.js';

type JsonObject = Record<string, unknown>;

const DESCRIPTION =
  'The request is signed according to [Standard Webhooks](https://www.standardwebhooks.com); verify the signature before you trust the body. ' +
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

export const pascalCase = (type: string) =>
  type.replace(/(^|\.)(\w)/g, (_all, _dot, letter: string) => letter.toUpperCase());

/** The name in the document and the schema of each payload. */
export const webhookPayloads: readonly (readonly [type: WebhookEventType, name: string, schema: z.ZodType])[] =
  webhookEventTypes.map((type) => [type, `${pascalCase(type)}Event`, webhookPayloadSchema(type)]);

/** The requests to own extractors, by their names in the document. */
export const extractionRequest = ['ExtractionRequest', extractionRequestSchema] as const;

const EXTRACTION_DESCRIPTION =
  'Kiln sends this to the extractor of an organization that has set one (`PUT /v1/org/provider-keys` with a `url`), signed according to ' +
  '[Standard Webhooks](https://www.standardwebhooks.com). Respond with 200 and the result, or with 202 and send the result to `callback_url`. ' +
  'The same request can come again; use `id` to detect duplicates.';

interface References {
  request: (schema: z.ZodType) => JsonObject;
  response: (schema: z.ZodType) => JsonObject;
}

export const webhooksOf = (schemas: References): JsonObject => ({
  ...eventsOf(schemas),
  'extraction.requested': { post: extractionOperation(schemas) },
});

function extractionOperation({ request, response }: References): JsonObject {
  const result = { schema: request(extractionResultSchema), example: exampleExtractionResult };
  return {
    operationId: 'onExtractionRequested',
    tags: ['Extractions'],
    summary: 'Your own extractor receives a file.',
    description: EXTRACTION_DESCRIPTION,
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: response(extractionRequestSchema), example: exampleExtraction } },
    },
    responses: {
      200: { description: 'The result.', content: { 'application/json': result } },
      202: { description: 'The result comes to `callback_url`.' },
    },
  };
}

function eventsOf({ response }: References): JsonObject {
  return Object.fromEntries(
    webhookPayloads.map(([type, name, schema]) => [
      type,
      {
        post: {
          operationId: `on${name}`,
          tags: ['Webhooks'],
          summary: eventSummaries[type],
          description: DESCRIPTION,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: response(schema), example: examplePayload(type) } },
          },
          responses: { '2XX': { description: 'The event was accepted.' } },
        },
      },
    ]),
  );
}
