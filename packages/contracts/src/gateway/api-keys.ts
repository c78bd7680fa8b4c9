// API keys as the API shows them. The value of a key is in one answer only: the one that made it.
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

// eslint-disable-next-line no-control-regex -- control characters are what it refuses
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;

/** What people call a key or an organization. It is a label: two may have the same. */
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
  mode: z.enum(keyModes).default('live').meta({ description: 'test keys see the test data plane' }),
  expires_at: requestTimeSchema.nullish().meta({ description: 'in the future; null or absent: never' }),
});

export const apiKeySchema = z.object({
  id: idSchema('key'),
  name: z.string(),
  prefix: z.string().meta({ description: 'the leading part of the value' }),
  scopes: z.array(z.enum(scopes)),
  mode: z.enum(keyModes),
  expires_at: timestampSchema.nullable(),
  last_used_at: timestampSchema.nullable().meta({ description: 'a few seconds behind' }),
  created_at: timestampSchema,
});

export const createdApiKeySchema = apiKeySchema
  .omit({ last_used_at: true })
  .extend({ key: z.string().meta({ description: 'the value; it is told only now' }) });

export const apiKeyQuerySchema = z.object({ limit: limitSchema(50), cursor: cursorSchema });

export const apiKeyListSchema = z.object({ api_keys: z.array(apiKeySchema), next_cursor: nextCursorSchema });

export const deletedSchema = z.object({ deleted: z.literal(true) });
