import { z } from 'zod';
import { event } from '../core/event.js';
import { idSchema } from '../core/ids.js';
import { jobErrorSchema } from '../jobs/schemas.js';
import { fileLabelsSchema, fileStatusSchema, processingSchema, providerSchema, variantTypeSchema } from './schemas.js';

const fileFactSchema = z.object({
  file_id: idSchema('file'),
  job_id: idSchema('job').nullable(),
  space: z.string(),
  filename: z.string(),
  content_type: z.string().nullable(),
});

/** Metadata may be long, so a request for a job, of which a message has many, leaves it out. */
const labelledFileSchema = fileFactSchema.extend(fileLabelsSchema.shape);

/** The maximum number of files of one event, which keeps it below the message size limit. */
export const CHANGED_FILES_MAX = 250;

/** The state of a file when the event was written, after the change `version`. Of two states, the one with the higher version is newer. */
const changedFileSchema = z.object({
  file_id: idSchema('file'),
  version: z.int(),
  space: z.string(),
  content_type: z.string().nullable(),
  size_bytes: z.int().nullable(),
  status: fileStatusSchema,
  jobs: z.int().min(0).meta({ description: 'The number of jobs that the file has had.' }),
  variants: z.int().min(0).meta({ description: 'The number of variants of the file.' }),
  created_at: z.iso.datetime(),
});

export const filesEvents = {
  fileCreated: event({
    type: 'file.created',
    owner: 'files',
    data: labelledFileSchema.extend({ size_bytes: z.int().nullable(), status: fileStatusSchema }),
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
      ready: z.boolean().meta({ description: 'Whether the bytes are in storage.' }),
      processing: processingSchema,
    }),
  }),
  /** The bytes for a signed URL never arrived, or were rejected. */
  uploadFailed: event({
    type: 'file.upload.failed',
    owner: 'files',
    data: fileLabelsSchema.extend({
      file_id: idSchema('file'),
      job_id: idSchema('job').nullable(),
      error: jobErrorSchema,
    }),
  }),
  /**
   * What callers say about the file has changed, or had changed when a run ended that had read the former values. Of two events, the one
   * with more `edits` has the newer state.
   */
  fileUpdated: event({
    type: 'file.updated',
    owner: 'files',
    data: fileFactSchema.extend({ edits: z.int().min(1) }),
  }),
  /** An upload has replaced the content of the file. What the former jobs have made of it is no longer valid. */
  fileReplaced: event({
    type: 'file.replaced',
    owner: 'files',
    data: z.object({
      file_id: idSchema('file'),
      former_job_number: z.int().min(1).meta({ description: 'The number of jobs that the file had had.' }),
    }),
  }),
  /** The file was deleted. Every service deletes what it keeps about it. */
  fileDeleted: event({
    type: 'file.deleted',
    owner: 'files',
    data: labelledFileSchema.extend({ size_bytes: z.int().nullable(), created_at: z.iso.datetime() }),
  }),
  /** Variants of a file were written, or written again with other content. Those that were written together share an event. */
  variantReady: event({
    type: 'variant.ready',
    owner: 'files',
    data: labelledFileSchema.extend({ variants: z.array(variantTypeSchema).min(1), provider: providerSchema }),
  }),
  /**
   * Files of one tenant have changed in the last second or so. Several changes of a file appear as its newest state. The state of a new
   * file is in `file.created`, and a deletion is `file.deleted` only; no state supersedes it.
   */
  filesChanged: event({
    type: 'files.changed',
    owner: 'files',
    data: z.object({ files: z.array(changedFileSchema).min(1).max(CHANGED_FILES_MAX) }),
  }),
};
