// Batches: files that were uploaded or processed together, and how far they are.
import { z } from 'zod';
import { publicErrorCodes } from '../core/errors.js';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { connectionRestSchema } from './connections.js';
import { fileStatusSchema } from './schemas.js';
import { jsonUploadSchema, newFileSchema, signedUploadSchema, uploadRevisionOf } from './uploads.js';

export const BATCH_UPLOAD_FILES_MAX = 50;
/** A batch may hold all files of a connection; so many of them are listed. */
export const BATCH_FILES_LISTED_MAX = 1_000;

/** Why one entry of a batch was refused, while the others were not. */
export const entryErrorSchema = z.object({
  code: z.enum(publicErrorCodes),
  message: z.string(),
});

const between = `must hold 1 to ${BATCH_UPLOAD_FILES_MAX} entries`;

/** Each entry is validated later and on its own, so that an invalid one does not refuse the others. The second member only documents it. */
export const batchUploadSchema = z.object({
  files: z
    .array(z.union([z.unknown(), jsonUploadSchema]))
    .min(1, { error: between })
    .max(BATCH_UPLOAD_FILES_MAX, { error: between }),
});

const indexSchema = z.int().min(0).meta({ description: 'The index of the entry in the request.' });

export const batchUploadedSchema = z.object({
  batch_id: idSchema('batch'),
  files: z
    .array(
      z.union([
        signedUploadSchema.extend({ index: indexSchema }),
        z.object({ index: indexSchema, error: entryErrorSchema }),
      ]),
    )
    .meta({ description: 'One element for each entry of the request, in the same order: an upload or an error.' }),
});

const count = z.int().min(0);

export const batchSchema = z.object({
  id: idSchema('batch'),
  total: count.meta({ description: 'The number of files in the batch that have not been deleted.' }),
  completed: count.meta({
    description: 'The number of files that completed, or that were uploaded without processing.',
  }),
  failed: count,
  cancelled: count.meta({ description: 'The number of files whose job was cancelled.' }),
  in_progress: count.meta({
    description: 'The number of all other files. The batch has ended when it is 0 and `rest` is `none`.',
  }),
  rest: connectionRestSchema.exclude(['quota_exceeded']).default('none').meta({
    description: '`follows` while files of a connection are still being added to the batch.',
  }),
  files: z
    .array(z.object({ id: idSchema('file'), status: fileStatusSchema }))
    .max(BATCH_FILES_LISTED_MAX)
    .meta({ description: `The first ${BATCH_FILES_LISTED_MAX} files.` }),
});

export const batchesOperations = {
  /** Registers files whose bytes will come by PUT, all or none. Asked again with the same ids it answers the same. */
  createUploads: operation({
    subject: 'files.createUploads.v1',
    input: z.object({ batch_id: idSchema('batch'), files: z.array(newFileSchema).min(1).max(BATCH_UPLOAD_FILES_MAX) }),
    output: z.object({
      files: z.array(signedUploadSchema).meta({ description: 'The files in the order of the input.' }),
    }),
    errors: ['CONFLICT'],
    timeoutMs: 5_000,
    idempotent: true,
    revision: 2,
    revisionOf: uploadRevisionOf,
  }),
  getBatch: operation({
    subject: 'files.getBatch.v1',
    input: z.object({ id: idSchema('batch') }),
    output: batchSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};
