// The headers of requests and answers, as the document describes them.
import type { Route } from '../routes/route.js';
import type { JsonSchema } from './schemas.js';

/** Whether a repeat with the same Idempotency-Key gets the first answer again. */
export const isRepeatable = ({ method, stack }: Route): boolean => method === 'POST' && stack === 'key';

export const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes repeating this request safe: for 24 hours the first answer is given again, with `Idempotency-Replayed: true`. ' +
    'The same key with another body is 409, and so is a repeat while the first is under way.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export const idempotencyParameter = (route: Route): JsonSchema[] =>
  isRepeatable(route) ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : [];

export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

export const headerReferences = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export function documentedHeaders(): JsonSchema {
  const whole = { type: 'integer', minimum: 0 };
  return {
    'X-Request-Id': { description: "The caller's own, or a new one; quote it to support", schema: { type: 'string' } },
    'RateLimit-Limit': { description: 'Requests a full bucket holds', schema: whole },
    'RateLimit-Remaining': { description: 'Requests left in the bucket', schema: whole },
    'RateLimit-Reset': { description: 'Seconds until the bucket is full again', schema: whole },
    'Idempotency-Replayed': {
      description: '`true` when this is the kept answer of an earlier request with the same Idempotency-Key',
      schema: { type: 'string', const: 'true' },
    },
    'Retry-After': { description: 'Seconds to wait before the same request', schema: whole },
  };
}
