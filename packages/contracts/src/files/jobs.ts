// Operations of the files service for the jobs service, when a caller changes a job.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { filesEvents } from './events.js';

export const followedJobsOperations = {
  /**
   * Sets the file's status to match its job, unless the file has a newer job or has seen a higher fencing token. Has the effect
   * of the events `job.cancelled` and `job.retried` immediately.
   */
  followJob: operation({
    subject: 'files.followJob.v1',
    input: z.object({
      file_id: idSchema('file'),
      job_id: idSchema('job'),
      fence: z
        .int()
        .min(1)
        .meta({ description: 'The fencing token of the change. From now on runs under a lower one are refused.' }),
      status: z.enum(['queued', 'cancelled']),
    }),
    output: z.object({}),
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** The current request of a failed job. CONFLICT if the file has another job, or its bytes are not in storage. */
  prepareRetry: operation({
    subject: 'files.prepareRetry.v1',
    input: z.object({ file_id: idSchema('file'), job_id: idSchema('job') }),
    output: filesEvents.processingRequested.data,
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 15_000,
    idempotent: true,
  }),
};
