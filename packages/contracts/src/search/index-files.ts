// The input and the result of indexing one file.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { metadataSchema, spaceSchema } from '../files/schemas.js';
import { textLanguageSchema } from './languages.js';

export const FILES_PER_INDEX_CALL_MAX = 50;

/** A chunk of a file, inline or as one line of an NDJSON object. Indexes count from 0. */
export const chunkLineSchema = z.object({
  index: z.int().min(0),
  text: z.string(),
  start: z.int().min(0),
  end: z.int().min(0),
  page: z.int().nullable(),
  heading_path: z.array(z.string()),
  lines: z.array(z.int().min(-32_768).max(32_767)).optional().meta({
    description:
      'Seven numbers for each line on a page: page; start and end from the start of the chunk; x, y, width, height in 1/10,000',
  }),
  vector: z
    .base64()
    .optional()
    .meta({ description: 'Float32, little-endian; required when the file has an embedding' }),
});

export type ChunkLine = z.output<typeof chunkLineSchema>;

export const fileToIndexSchema = z
  .object({
    file_id: idSchema('file'),
    job_id: idSchema('job'),
    job_number: z.int().min(1).meta({ description: "orders the file's jobs; of two the higher one is newer" }),
    fence: z.int().min(1),
    space: spaceSchema,
    filename: z.string(),
    title: z.string().nullable(),
    content_type: z.string().nullable(),
    metadata: metadataSchema,
    embedding: z
      .object({ model: z.string().min(1).max(200), dimensions: z.int().min(1).max(8_192) })
      .optional()
      .meta({ description: 'what made the vectors of the chunks; without it, the file is found by its text only' }),
    language: textLanguageSchema,
    chunks: z.array(chunkLineSchema).nullable().meta({ description: 'the chunks of a small file' }),
    chunks_key: z.string().nullable().meta({ description: 'NDJSON of chunks in the object store' }),
  })
  .refine(({ chunks, chunks_key }) => (chunks === null) !== (chunks_key === null), {
    error: 'must have either chunks or chunks_key',
  });

export type FileToIndex = z.output<typeof fileToIndexSchema>;

/** INTERNAL_ERROR: indexing this file failed; the other files of the call are not affected. */
const refusalCodes = ['SUPERSEDED', 'BAD_REQUEST', 'INTERNAL_ERROR'] as const;

export const fileIndexedSchema = z.object({
  chunks: z.int().nullable().meta({ description: 'how many the file has now; null when it was refused' }),
  refusal: z.object({ code: z.enum(refusalCodes), message: z.string() }).nullable(),
});

export type FileIndexed = z.output<typeof fileIndexedSchema>;
