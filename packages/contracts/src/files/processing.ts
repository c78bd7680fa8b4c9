// Processing of stored files: one file, or many as a batch.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { entryErrorSchema } from './batches.js';
import { connectionRestSchema } from './connections.js';
import { filesEvents } from './events.js';
import { processingSchema } from './schemas.js';
import { fileSelectionSchema, moreSchema } from './selections.js';

export const PROCESS_BATCH_FILES_MAX = 1_000;
/** Keeps requests and responses below the message size limit. */
export const PROCESS_FILES_PER_CALL_MAX = 200;

const between = () => `must hold 1 to ${PROCESS_BATCH_FILES_MAX.toLocaleString('en')} ids`;

export const processBatchSchema = processingSchema
  .extend({
    // An invalid id is an error of that entry, like a file that does not exist.
    file_ids: z
      .array(z.string().max(255))
      .min(1, { error: between })
      .max(PROCESS_BATCH_FILES_MAX, { error: between })
      .optional(),
    connection_id: z.string().max(255).optional(),
    selection: fileSelectionSchema.optional(),
  })
  .refine(
    ({ file_ids: ids, connection_id: connection, selection }) =>
      [ids, connection, selection].filter((given) => given !== undefined).length === 1,
    { error: 'must have one of file_ids, connection_id and selection' },
  );

export const processErrorSchema = entryErrorSchema.extend({ file_id: z.string() });

export const processBatchStartedSchema = z.object({
  batch_id: idSchema('batch'),
  queued: z.int().min(0).meta({ description: 'The number of files queued, each counted once.' }),
  job_ids: z.array(idSchema('job')).meta({ description: 'The jobs of the queued files, in the order of the request.' }),
  rest: connectionRestSchema.optional().meta({
    description:
      'With `connection_id`: the state of the files not queued yet. `follows`: they are being queued in the background. `quota_exceeded`: send the request again when pages are available.',
  }),
  errors: z.array(processErrorSchema),
  more: moreSchema.optional(),
});

export const processStartedSchema = z.object({
  job_id: idSchema('job'),
  file_id: idSchema('file'),
  status: z.literal('queued'),
});

export const processingOperations = {
  /**
   * Replaces the jobs of files with new ones. `errors` lists files that cannot be processed. The batch exists afterwards, also without
   * files. Writes nothing if storage is unavailable.
   */
  processFiles: operation({
    subject: 'files.processFiles.v1',
    input: z.object({
      batch_id: idSchema('batch').nullable(),
      files: z.array(z.object({ file_id: idSchema('file'), job_id: idSchema('job') })).max(PROCESS_FILES_PER_CALL_MAX),
      processing: processingSchema,
    }),
    output: z.object({
      jobs: z.array(filesEvents.processingRequested.data).meta({ description: 'The requests to the jobs service.' }),
      errors: z.array(processErrorSchema),
    }),
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 15_000,
    idempotent: true,
  }),
};
