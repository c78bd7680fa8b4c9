import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation, type OperationInput, type OperationOutput } from '../core/operation.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { batchesOperations } from './batches.js';
import { detailsRequestSchema, fileDetailsSchema } from './file-details.js';
import { fileFilterSchema } from './filter.js';
import { downloadsOperations } from './downloads.js';
import { processingOperations } from './processing.js';
import { connectionFilesOperations } from './connections.js';
import { deletionOperations } from './deletion.js';
import { indexedFilesOperations } from './indexed-files.js';
import { followedJobsOperations } from './jobs.js';
import { partUploadsOperations } from './part-uploads.js';
import { pageImagesOperations } from './page-images.js';
import { runsOperations } from './runs.js';
import { spacesOperations } from './spaces.js';
import {
  externalIdSchema,
  fileSchema,
  fileStatusSchema,
  fileSummarySchema,
  listSearchSchema,
  metadataSchema,
  sha256Schema,
  spaceSchema,
  variantRecordSchema,
  variantTypes,
  variantTypeSchema,
} from './schemas.js';
import { createdFileSchema, newFileSchema, signedUploadSchema, storedSizeSchema, uploadRevisionOf } from './uploads.js';
import { updatesOperations } from './updates.js';
import { variantContentOperations } from './variant-content.js';

/** A call stays below 64 KiB. */
export const EXISTING_FILES_PER_CALL_MAX = 1_000;

export const filesOperations = {
  /** Registers a file whose bytes are already in storage. */
  createFile: operation({
    subject: 'files.createFile.v1',
    input: newFileSchema.extend({ size_bytes: storedSizeSchema, sha256: sha256Schema }),
    output: createdFileSchema,
    errors: ['CONFLICT'],
    timeoutMs: 5_000,
    idempotent: true,
    revision: 3,
    revisionOf: uploadRevisionOf,
  }),
  /** Registers a file whose bytes will be sent with PUT to the signed URL in the response. */
  createUpload: operation({
    subject: 'files.createUpload.v1',
    input: newFileSchema,
    output: signedUploadSchema,
    errors: ['CONFLICT'],
    timeoutMs: 5_000,
    idempotent: true,
    revision: 3,
    revisionOf: uploadRevisionOf,
  }),
  getFile: operation({
    subject: 'files.getFile.v1',
    /** With a space: NOT_FOUND for files of other spaces. */
    input: z.object({
      id: idSchema('file'),
      space: spaceSchema.optional(),
      is_upload: z.literal(true).optional().meta({
        description: 'The id may also be that of an upload which has replaced the content of a file.',
      }),
    }),
    output: fileSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
    revision: 2,
    revisionOf: ({ is_upload: isUpload }) => (isUpload === undefined ? 1 : 2),
  }),
  /** Which of the files can be read: they are neither deleted nor in a deleted space. */
  findExistingFiles: operation({
    subject: 'files.findExistingFiles.v1',
    input: z.object({
      file_ids: z.array(idSchema('file')).min(1).max(EXISTING_FILES_PER_CALL_MAX),
      details: detailsRequestSchema.optional(),
      filter: fileFilterSchema.optional(),
    }),
    output: z.object({
      file_ids: z.array(idSchema('file')).meta({ description: 'The files in any order.' }),
      files: z.array(fileDetailsSchema).optional().meta({ description: 'The same files, if details are asked for.' }),
    }),
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
    revision: 2,
    revisionOf: ({ filter }) => (filter === undefined ? 1 : 2),
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
      external_id: externalIdSchema.optional(),
      filter: fileFilterSchema.optional(),
      limit: limitSchema(50),
      cursor: cursorSchema,
    }),
    output: z.object({ files: z.array(fileSummarySchema), next_cursor: nextCursorSchema }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
    revision: 2,
    revisionOf: ({ filter, external_id: externalId }) => (filter === undefined && externalId === undefined ? 1 : 2),
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
  ...runsOperations,
  ...spacesOperations,
  ...batchesOperations,
  ...processingOperations,
  ...downloadsOperations,
  ...deletionOperations,
  ...followedJobsOperations,
  ...connectionFilesOperations,
  ...variantContentOperations,
  ...pageImagesOperations,
  ...indexedFilesOperations,
  ...updatesOperations,
  ...partUploadsOperations,
};

type FilesOperations = typeof filesOperations;
export type FilesInput<Name extends keyof FilesOperations> = OperationInput<FilesOperations[Name]>;
export type FilesOutput<Name extends keyof FilesOperations> = OperationOutput<FilesOperations[Name]>;
