// Files whose bytes lie in connected buckets.
import { z } from 'zod';
import { fileNodeSchema } from '../connections/bucket-objects.js';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { filesEvents } from './events.js';
import { processingSchema } from './schemas.js';

/** Files that a call queues before it answers, give or take a page; the rest follows by itself. */
export const CONNECTION_FILES_PER_CALL_MAX = 1_000;

const jobs = z.array(filesEvents.processingRequested.data).meta({ description: 'The request to the jobs service.' });

/** Of the files that are not queued yet: `follows` in the background; `quota_exceeded` does not follow, ask again when there is room. */
export const connectionRestSchema = z.enum(['none', 'follows', 'quota_exceeded']);

export const connectionFilesOperations = {
  /**
   * Queues what has no up-to-date result: the first files now, the rest in the background, as one batch. QUOTA_EXCEEDED when there
   * is no room for any of them.
   */
  processConnection: operation({
    subject: 'files.processConnection.v1',
    input: z.object({
      batch_id: idSchema('batch'),
      connection_id: idSchema('connection'),
      processing: processingSchema,
      pages_limit: z.int().min(0).nullable().meta({ description: 'The hard limit of the plan; null if it has none.' }),
    }),
    output: z.object({ jobs, rest: connectionRestSchema }),
    errors: ['NOT_FOUND', 'CONFLICT', 'QUOTA_EXCEEDED'],
    timeoutMs: 25_000,
    idempotent: false,
  }),
  /** Makes a file of a node, or gives the file that it has a new job when the bytes have changed; else answers the job it has. */
  processNode: operation({
    subject: 'files.processNode.v1',
    input: z.object({
      node: fileNodeSchema,
      file_id: idSchema('file'),
      job_id: idSchema('job'),
      processing: processingSchema,
    }),
    output: z.object({ file_id: idSchema('file'), job_id: idSchema('job'), job: jobs.element.nullable() }),
    errors: ['CONFLICT'],
    timeoutMs: 5_000,
    idempotent: true,
    revision: 2,
    // Release 0.2 makes all files of nodes in the default space.
    revisionOf: ({ node: { space = 'default' } }) => (space === 'default' ? 1 : 2),
  }),
};
