// Portal tokens: short-lived tokens for browsers, bound to one space.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
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

export const portalTokenSchema = z.object({
  prefix: z
    .string()
    .meta({ description: 'The first characters of the secret. They name the token where it is revoked.' }),
  space: z.string(),
  created_at: timestampSchema,
  expires_at: timestampSchema,
  key_id: idSchema('key')
    .nullable()
    .meta({ description: 'The key that created the token, which ends with it. Null for a bearer token.' }),
});

export const portalTokenQuerySchema = z.object({ limit: limitSchema(50), cursor: cursorSchema });

export const portalTokenListSchema = z.object({ tokens: z.array(portalTokenSchema), next_cursor: nextCursorSchema });

/** Unknown, expired and revoked tokens look the same: false and two nulls. */
export const verifiedPortalTokenSchema = z.object({
  valid: z.boolean(),
  space: z.string().nullable(),
  expires_at: timestampSchema.nullable(),
});
