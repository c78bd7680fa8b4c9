import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { plainTextSchema } from '../core/text.js';
import { timestampSchema } from '../core/timestamps.js';
import { LABEL_LENGTH_MAX, labelSchema } from '../gateway/api-keys.js';

/** What a caller sends. */
export const new__Noun__Schema = z.object({
  name: labelSchema.meta({ description: 'The display name. It need not be unique.', examples: ['The first one'] }),
});

export const __noun__Schema = z.object({
  id: idSchema('__noun__'),
  name: plainTextSchema(LABEL_LENGTH_MAX),
  file_id: idSchema('file').nullable().meta({ description: 'The file it was created for. Null if a caller created it.' }),
  created_at: timestampSchema,
});

export const __noun__QuerySchema = z.object({ limit: limitSchema(50), cursor: cursorSchema });

export const __noun__ListSchema = z.object({ __noun__s: z.array(__noun__Schema), next_cursor: nextCursorSchema });
