// Which files contain all words of a text, for the filter `search` of the list of files. Words are compared as in a search: by the language
// of each file, in all their forms, without stop words. Quotes and minuses have no special meaning. Neither operation asks whether a file
// still exists.
import { z } from 'zod';
import { operation } from '../core/operation.js';
import { packedIdsSchema } from '../core/packed-ids.js';
import { listSearchSchema, metadataSchema, spaceSchema } from '../files/schemas.js';

export const MATCHED_FILES_MAX = 20_000;
export const CANDIDATES_PER_CALL_MAX = 500;

export const matchesOperations = {
  /** The files that contain all words of the text, anywhere in their chunks, titles and names. */
  matchFiles: operation({
    subject: 'search.matchFiles.v1',
    input: z.object({
      text: listSearchSchema,
      space: spaceSchema.optional(),
      metadata: metadataSchema.optional(),
    }),
    output: z.object({
      file_ids: packedIdsSchema(MATCHED_FILES_MAX)
        .nullable()
        .meta({ description: 'packed, in any order; null when there are more than 20,000' }),
    }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /** Returns which of the given files contain all words of the text. */
  matchAmong: operation({
    subject: 'search.matchAmong.v1',
    input: z.object({ text: listSearchSchema, file_ids: packedIdsSchema(CANDIDATES_PER_CALL_MAX) }),
    output: z.object({ file_ids: packedIdsSchema(CANDIDATES_PER_CALL_MAX) }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
};
