// API keys as returned by the API. The secret is returned once, when the key is created.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { modes, type Mode } from '../core/mode.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { timestampSchema } from '../core/timestamps.js';
import { requestTimeSchema } from './request-time.js';
import { scopes } from './schemas.js';

export const keyModes = modes;

export type KeyMode = Mode;

export const LABEL_LENGTH_MAX = 255;

// eslint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;

/** The display name of a key or an organization. It need not be unique. */
export const labelSchema = z
  .string()
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(LABEL_LENGTH_MAX, { error: `must be at most ${LABEL_LENGTH_MAX} characters` })
  .refine((label) => label.isWellFormed() && !CONTROL.test(label), { error: 'must not contain control characters' });

export const keyScopesSchema = z
  .array(z.enum(scopes, { error: `must be one of ${scopes.join(', ')}` }))
  .min(1, { error: 'must name at least one scope' })
  .max(100)
  .transform((named) => [...new Set(named)]);

export const newApiKeySchema = z.object({
  name: labelSchema,
  scopes: keyScopesSchema.default(['*']),
  mode: z.enum(keyModes).default('live').meta({ description: 'Test keys have access to test data only.' }),
  expires_at: requestTimeSchema
    .nullish()
    .meta({ description: 'The expiry time, in the future. If null or omitted, the key does not expire.' }),
});

export const apiKeySchema = z.object({
  id: idSchema('key'),
  name: z.string(),
  prefix: z.string().meta({ description: 'The first characters of the secret.' }),
  scopes: z.array(z.enum(scopes)),
  mode: z.enum(keyModes),
  expires_at: timestampSchema.nullable(),
  last_used_at: timestampSchema.nullable().meta({ description: 'May lag by a few seconds.' }),
  created_at: timestampSchema,
});

export const createdApiKeySchema = apiKeySchema
  .omit({ last_used_at: true })
  .extend({ key: z.string().meta({ description: 'The secret. It is returned only in this response.' }) });

export const apiKeyQuerySchema = z.object({ limit: limitSchema(50), cursor: cursorSchema });

export const apiKeyListSchema = z.object({ api_keys: z.array(apiKeySchema), next_cursor: nextCursorSchema });

export const deletedSchema = z.object({ deleted: z.literal(true) });
