// The exchange of a sign-in code for an API key.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { timestampSchema } from '../core/timestamps.js';

export const signInRequestSchema = z.object({
  code: z.string().max(200).meta({ description: 'The code of a sign-in link.' }),
});

export const signInResponseSchema = z.object({
  id: idSchema('key'),
  key: z.string().meta({ description: 'The secret of an API key. It is returned only in this response.' }),
  org_id: idSchema('organization'),
  expires_at: timestampSchema,
});
