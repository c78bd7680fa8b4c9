// The chunks of a file, as they are searched.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { regionsSchema } from '../files/regions.js';

const CHUNK_CHARACTERS_MAX = 8_000;
export const CHUNK_HEADINGS_MAX = 6;
export const HEADING_CHARACTERS_MAX = 1_000;

export const chunkSchema = z.object({
  index: z.int().min(0).meta({ description: 'The position of the chunk in its file, from 0.' }),
  text: z.string().max(CHUNK_CHARACTERS_MAX),
  start: z.int().min(0).meta({ description: 'Where the chunk begins in the markdown of the file, in UTF-16 units.' }),
  end: z.int().min(0).meta({ description: 'Where it ends. Chunks can overlap.' }),
  page: z.int().nullable().meta({ description: 'The page on which the chunk begins. Null without pages.' }),
  // Release 0.2 does not send them.
  regions: regionsSchema.default([]),
  headings: z
    .array(z.string().max(HEADING_CHARACTERS_MAX))
    .max(CHUNK_HEADINGS_MAX)
    .meta({ description: 'The headings above the chunk, the outermost first.' }),
});

export const chunkListQuerySchema = z.object({ limit: limitSchema(50), cursor: cursorSchema });

export const chunksOperations = {
  /** A file that is not indexed, or not yet, has no chunks. Throws NOT_FOUND when the file does not exist. */
  listChunks: operation({
    subject: 'search.listChunks.v1',
    input: z.object({ file_id: idSchema('file'), ...chunkListQuerySchema.shape }),
    output: z.object({ chunks: z.array(chunkSchema), next_cursor: nextCursorSchema }),
    errors: ['NOT_FOUND'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
};
