// Uploads into a connected bucket. The client sends the bytes to a signed URL; the object becomes a node and a file.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { contentTypeSchema } from '../files/schemas.js';
import { jobStatusSchema } from '../jobs/schemas.js';
import { fileNodeSchema } from './bucket-objects.js';

const KEY_BYTES_MAX = 1_024;

/** A key that every provider stores unchanged. */
const newPathSchema = z
  .string()
  .min(1, { error: 'must not be empty' })
  .refine((path) => new TextEncoder().encode(path).length <= KEY_BYTES_MAX, {
    error: `must be at most ${KEY_BYTES_MAX} bytes`,
  })
  // eslint-disable-next-line no-control-regex -- matches control characters on purpose
  .refine((path) => path.isWellFormed() && !/[\u0000-\u001f\u007f\\]/.test(path), {
    error: 'must be text without \\ and control characters',
  })
  .refine((path) => path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..'), {
    error: 'must name a file: no leading, doubled or trailing slash, no . or ..',
  })
  .meta({ examples: ['contracts/2026/report.pdf'] });

export const nodeUploadSchema = z.object({
  connection_id: idSchema('connection'),
  path: newPathSchema,
  content_type: contentTypeSchema.optional(),
  size_bytes: z.int().min(0).optional(),
});

export const nodeUploadStartedSchema = z.object({
  node_id: idSchema('node'),
  upload_url: z.url(),
  upload_method: z.literal('PUT'),
  upload_headers: z.record(z.string(), z.string()),
  expires_in: z.int().meta({ description: 'Seconds until the URL expires.' }),
});

export const nodeCommitSchema = z.object({ node_id: idSchema('node') });

export const nodeCommittedSchema = z.object({
  node_id: idSchema('node'),
  file_id: idSchema('file'),
  job_id: idSchema('job'),
  status: jobStatusSchema.meta({ description: 'Of the job. Not `queued` when the upload was committed before.' }),
});

export const nodeUploadsOperations = {
  /** Starts an upload. If the path is already a node, the node is kept. */
  initNodeUpload: operation({
    subject: 'connections.initNodeUpload.v1',
    input: nodeUploadSchema.extend({
      node_id: idSchema('node').meta({ description: 'made by the caller; for a path that is no node yet' }),
    }),
    output: nodeUploadStartedSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 8_000,
    idempotent: true,
  }),
  /** Creates the node of an uploaded object. CONFLICT if the bytes have not arrived. */
  commitNodeUpload: operation({
    subject: 'connections.commitNodeUpload.v1',
    input: nodeCommitSchema,
    output: fileNodeSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 10_000,
    idempotent: true,
  }),
};
