import { z } from 'zod';
import { event } from '../core/event.js';
import { idSchema } from '../core/ids.js';
import { jobErrorSchema } from '../jobs/schemas.js';
import { fileStatusSchema, processingSchema, variantTypeSchema } from './schemas.js';

const fileFactSchema = z.object({
  file_id: idSchema('file'),
  job_id: idSchema('job').nullable(),
  space: z.string(),
  filename: z.string(),
  content_type: z.string().nullable(),
});

export const filesEvents = {
  fileCreated: event({
    type: 'file.created',
    owner: 'files',
    data: fileFactSchema.extend({ size_bytes: z.int().nullable(), status: fileStatusSchema }),
  }),
  /**
   * Processing of a file was requested. Sent when the file is registered, and again with `ready` when its bytes have arrived;
   * each carries the whole request, so that their order does not matter.
   */
  processingRequested: event({
    type: 'file.processing.requested',
    owner: 'files',
    data: fileFactSchema.extend({
      job_id: idSchema('job'),
      size_bytes: z.int().nullable(),
      batch_id: idSchema('batch').nullable().default(null),
      ready: z.boolean().meta({ description: 'the bytes are in storage' }),
      processing: processingSchema,
    }),
  }),
  /** The bytes for a signed URL never arrived, or were rejected. */
  uploadFailed: event({
    type: 'file.upload.failed',
    owner: 'files',
    data: z.object({ file_id: idSchema('file'), job_id: idSchema('job').nullable(), error: jobErrorSchema }),
  }),
  /** The file was deleted. Every service deletes what it keeps about it. */
  fileDeleted: event({
    type: 'file.deleted',
    owner: 'files',
    data: fileFactSchema.extend({ size_bytes: z.int().nullable() }),
  }),
  variantReady: event({
    type: 'variant.ready',
    owner: 'files',
    data: fileFactSchema.extend({ type: variantTypeSchema, provider: z.string() }),
  }),
};
