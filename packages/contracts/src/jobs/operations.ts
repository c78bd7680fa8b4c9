import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { filesEvents } from '../files/events.js';
import { jobSchema } from './schemas.js';

/** So that the question stays under the size of a message. */
export const JOBS_PER_CALL_MAX = 200;

export const jobsOperations = {
  /** Takes the same request as the event `file.processing.requested`; whichever comes first makes the job. */
  createJob: operation({
    subject: 'jobs.createJob.v1',
    input: filesEvents.processingRequested.data,
    output: jobSchema,
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** The same for many at once, all or none. */
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
