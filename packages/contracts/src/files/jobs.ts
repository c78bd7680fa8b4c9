// What the jobs service asks and tells the files service when a caller has changed a job.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { filesEvents } from './events.js';

export const followedJobsOperations = {
  /**
   * The file takes the status that fits its job's, unless it has a newer job or has seen a higher fence. Says at once what
   * the events `job.cancelled` and `job.retried` say, too.
   */
  followJob: operation({
    subject: 'files.followJob.v1',
    input: z.object({
      file_id: idSchema('file'),
      job_id: idSchema('job'),
      fence: z
        .int()
        .min(1)
        .meta({ description: 'that the change took; runs under a lower one are refused from now on' }),
      status: z.enum(['queued', 'cancelled']),
    }),
    output: z.object({}),
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** What a failed job would be made with now; CONFLICT when it is no longer its file's or the bytes are not in storage. */
  prepareRetry: operation({
    subject: 'files.prepareRetry.v1',
    input: z.object({ file_id: idSchema('file'), job_id: idSchema('job') }),
    output: filesEvents.processingRequested.data,
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
};
