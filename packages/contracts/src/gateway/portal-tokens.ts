// Portal tokens: short-lived tokens for browsers, bound to one space.
import { z } from 'zod';
import { timestampSchema } from '../core/timestamps.js';
import { spaceSchema } from '../files/schemas.js';

const TTL_SECONDS_MIN = 60;
const TTL_SECONDS_MAX = 86_400;
const error = `must be whole seconds from ${TTL_SECONDS_MIN} to ${TTL_SECONDS_MAX}`;

export const newPortalTokenSchema = z.object({
  space: spaceSchema,
  ttl: z.int({ error }).min(TTL_SECONDS_MIN, { error }).max(TTL_SECONDS_MAX, { error }).default(3_600),
});

export const createdPortalTokenSchema = z.object({
  token: z.string().meta({ description: 'The secret. It is returned only in this response.' }),
  expires_at: timestampSchema,
  space: z.string(),
});

/** Unknown, expired and revoked tokens look the same: false and two nulls. */
export const verifiedPortalTokenSchema = z.object({
  valid: z.boolean(),
  space: z.string().nullable(),
  expires_at: timestampSchema.nullable(),
});
