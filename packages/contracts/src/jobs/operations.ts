import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { filesEvents } from '../files/events.js';
import { jobSchema } from './schemas.js';

/** So that the question stays under the size of a message. */
export const JOBS_PER_CALL_MAX = 200;

export const jobsOperations = {
  /** Takes the same requests as the event `file.processing.requested`; whichever comes first makes the job. All or none. */
  createJobs: operation({
    subject: 'jobs.createJobs.v1',
    input: z.object({ jobs: z.array(filesEvents.processingRequested.data).min(1).max(JOBS_PER_CALL_MAX) }),
    output: z.object({ created: z.int().meta({ description: 'jobs that were not there before' }) }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  getJob: operation({
    subject: 'jobs.getJob.v1',
    input: z.object({ id: idSchema('job') }),
    output: jobSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};
