// The headers of requests and answers, as the document describes them.
import { z } from 'zod';
import type { Route } from '../routes/kinds.route.js';
import { responseSchemaOf } from '../routes/row-facts.domain.js';
import { inlineSchema, type JsonSchema } from './schemas.view.js';

/** Whether a repeat with the same Idempotency-Key returns the first response. */
export const isRepeatable = ({ method, stack }: Route): boolean => method === 'POST' && stack === 'key';

export const isPaged = (route: Route): boolean => {
  const schema = responseSchemaOf(route);
  return route.method === 'GET' && schema instanceof z.ZodObject && 'next_cursor' in schema.shape;
};

export const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to repeat this request. For 24 hours a repeat returns the first response, with ' +
    '`Idempotency-Replayed: true`. The same key with a different body returns 409, and so does a repeat while ' +
    'the first request is in progress, with `Retry-After`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export const headerParameters = (route: Route): JsonSchema[] => [
  ...(isRepeatable(route) ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
  ...Object.entries(route.headers?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'header',
    required: false,
    schema: inlineSchema(schema as z.ZodType),
  })),
];

export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

export const headerReferences = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export function documentedHeaders(): JsonSchema {
  const whole = { type: 'integer', minimum: 0 };
  return {
    'X-Request-Id': {
      description: 'The id sent by the caller, or a new one. Include it in support requests.',
      schema: { type: 'string' },
    },
    'RateLimit-Limit': { description: 'The number of requests that the full token bucket allows.', schema: whole },
    'RateLimit-Remaining': { description: 'The number of requests left in the token bucket.', schema: whole },
    'RateLimit-Reset': { description: 'The number of seconds until the token bucket is full.', schema: whole },
    'Idempotency-Replayed': {
      description: '`true` if this is the stored response of an earlier request with the same Idempotency-Key.',
      schema: { type: 'string', const: 'true' },
    },
    ETag: {
      description:
        'Names the content of the response. Send it as `If-None-Match` to get 304 while the content is the same.',
      schema: { type: 'string' },
    },
    Link: {
      description: 'The address of the next page, with `rel="next"`. Missing on the last page.',
      schema: { type: 'string' },
    },
    'Retry-After': { description: 'The number of seconds to wait before sending the request again.', schema: whole },
  };
}
