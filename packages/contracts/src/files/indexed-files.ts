// The files that searches find, for a rebuild of the index, and what their variant `searchable-index` records.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { timestampSchema } from '../core/timestamps.js';
import { chunkingSchema } from './chunking.js';
import { pageSpanSchema } from './regions.js';
import { metadataSchema, spaceSchema } from './schemas.js';

export const INDEXED_FILES_PER_CALL_MAX = 1_000;

/** The content of the variant `searchable-index`. */
export const searchableIndexSchema = z.object({
  chunks: z.int().min(0),
  model: z.string().nullable().meta({ description: 'The model of the embeddings; null without embeddings.' }),
  indexed_at: timestampSchema,
  source: z
    .object({
      title: z.string().nullable(),
      language: z.string().nullable().meta({ description: 'The tag of the detected language.' }),
      chunking: chunkingSchema,
      pages: z
        .array(pageSpanSchema)
        .meta({ description: 'Where pages begin and end in the markdown; empty if the file has no pages.' }),
    })
    .meta({ description: 'The source of the index besides the markdown. A rebuild needs it.' }),
});

export type SearchableIndex = z.output<typeof searchableIndexSchema>;

/** A file with the run that wrote its index. */
export const indexedFileSchema = z.object({
  file_id: idSchema('file'),
  job_id: idSchema('job'),
  job_number: z.int().min(1),
  fence: z
    .int()
    .min(1)
    .meta({ description: 'The fencing token of the run, or a higher one if no run of the job can follow.' }),
  space: spaceSchema,
  filename: z.string(),
  content_type: z.string().nullable(),
  metadata: metadataSchema,
});

export type IndexedFileRecord = z.output<typeof indexedFileSchema>;

export const indexedFilesOperations = {
  /** The files that have the variant `searchable-index`, in the order of their ids. */
  listIndexedFiles: operation({
    subject: 'files.listIndexedFiles.v1',
    input: z.object({
      after: idSchema('file').nullable().meta({ description: 'The last file of the page before.' }),
      limit: z.int().min(1).max(INDEXED_FILES_PER_CALL_MAX),
    }),
    output: z.object({ file_ids: z.array(idSchema('file')).max(INDEXED_FILES_PER_CALL_MAX) }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /** NOT_FOUND if the file was deleted, or has no variant `searchable-index`. */
  getIndexedFile: operation({
    subject: 'files.getIndexedFile.v1',
    input: z.object({ file_id: idSchema('file') }),
    output: indexedFileSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};
