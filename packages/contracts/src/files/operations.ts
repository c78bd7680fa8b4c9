import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { batchesOperations } from './batches.js';
import { downloadsOperations } from './downloads.js';
import { processingOperations } from './processing.js';
import { connectionFilesOperations } from './connections.js';
import { deletionOperations } from './deletion.js';
import { followedJobsOperations } from './jobs.js';
import { spacesOperations } from './spaces.js';
import {
  contentTypeSchema,
  createdFileSchema,
  fileSchema,
  fileStatusSchema,
  fileSummarySchema,
  listSearchSchema,
  metadataSchema,
  newFileSchema,
  sha256Schema,
  signedUploadSchema,
  spaceSchema,
  storedSizeSchema,
  variantRecordSchema,
  variantTypes,
  variantTypeSchema,
} from './schemas.js';

/** Who writes the outcome of a run: SUPERSEDED unless it is the file's current job with no newer fence. */
const runSchema = z.object({
  file_id: idSchema('file'),
  job_id: idSchema('job'),
  fence: z.int().min(1).meta({ description: 'fencing token of the run; a later run has a higher one' }),
});

export const filesOperations = {
  /** Registers a file whose bytes are already in storage. */
  createFile: operation({
    subject: 'files.createFile.v1',
    input: newFileSchema.extend({ size_bytes: storedSizeSchema, sha256: sha256Schema }),
    output: createdFileSchema,
    errors: ['CONFLICT'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /** Registers a file whose bytes will come by PUT to the signed URL in the answer. */
  createUpload: operation({
    subject: 'files.createUpload.v1',
    input: newFileSchema,
    output: signedUploadSchema,
    errors: ['CONFLICT'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  getFile: operation({
    subject: 'files.getFile.v1',
    input: z.object({ id: idSchema('file') }),
    output: fileSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  listFiles: operation({
    subject: 'files.listFiles.v1',
    input: z.object({
      space: spaceSchema.optional(),
      status: fileStatusSchema.optional(),
      search: listSearchSchema.optional(),
      sort_by: z.enum(['created_at', 'updated_at', 'filename', 'size_bytes']).default('created_at'),
      sort_order: z.enum(['asc', 'desc']).default('desc'),
      metadata: metadataSchema.optional(),
      limit: limitSchema(50),
      cursor: cursorSchema,
    }),
    output: z.object({ files: z.array(fileSummarySchema), next_cursor: nextCursorSchema }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  listVariants: operation({
    subject: 'files.listVariants.v1',
    input: z.object({ file_id: idSchema('file') }),
    output: z.object({ variants: z.array(variantRecordSchema).max(variantTypes.length) }),
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  getVariant: operation({
    subject: 'files.getVariant.v1',
    input: z.object({ file_id: idSchema('file'), type: variantTypeSchema }),
    output: variantRecordSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** A run starts: what is to be processed, and which variants earlier tries of this job have left. */
  beginProcessing: operation({
    subject: 'files.beginProcessing.v1',
    input: runSchema,
    output: z.object({
      space: spaceSchema,
      filename: z.string(),
      content_type: contentTypeSchema.nullable(),
      size_bytes: z.int().nullable(),
      metadata: metadataSchema,
      source_key: z.string(),
      source: z
        .object({
          url: z.url().nullable(),
          bucket: z.string().meta({ description: 'the name of the bucket, for messages' }),
          etag_header: z.string().meta({ description: 'the header of the answer that names the version' }),
          fault: z.string().nullable().meta({ description: 'why the bytes can not be read, for people' }),
        })
        .nullable()
        .default(null)
        .meta({ description: 'where bytes are read that lie in a connected bucket; instead of source_key' }),
      source_etag: z
        .string()
        .nullable()
        .default(null)
        .meta({ description: 'the version of the bytes that is to be read; null when there can be no other' }),
      sha256: sha256Schema
        .nullable()
        .default(null)
        .meta({ description: 'of the bytes that are to be read; null while nobody has read them to their end' }),
      job_number: z
        .int()
        .min(1)
        .meta({ description: "the place of this job among the file's jobs: a job with a lower number is older" }),
      variants: z.array(z.object({ type: variantTypeSchema, content_key: z.string() })),
    }),
    errors: ['SUPERSEDED', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    // A connected bucket may have to be asked.
    timeoutMs: 12_000,
    idempotent: true,
  }),
  commitVariant: operation({
    subject: 'files.commitVariant.v1',
    input: runSchema.extend({
      type: variantTypeSchema,
      content_type: z.string(),
      size_bytes: z.int().min(0),
      content_key: z.string(),
      provider: z
        .string()
        .meta({ description: 'that made it; of what is derived from the text, the one that read the file' }),
    }),
    output: z.object({ id: idSchema('variant') }),
    errors: ['SUPERSEDED', 'CONFLICT'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  finishProcessing: operation({
    subject: 'files.finishProcessing.v1',
    input: runSchema.extend({
      sha256: sha256Schema.nullish().meta({ description: 'of the bytes that the run has read' }),
    }),
    output: z.object({ variants: z.array(variantTypeSchema) }),
    errors: ['SUPERSEDED', 'CONFLICT'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  ...spacesOperations,
  ...batchesOperations,
  ...processingOperations,
  ...downloadsOperations,
  ...deletionOperations,
  ...followedJobsOperations,
  ...connectionFilesOperations,
};
