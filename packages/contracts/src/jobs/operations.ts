import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { filesEvents } from '../files/events.js';
import { jobSchema } from './schemas.js';

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
  getJob: operation({
    subject: 'jobs.getJob.v1',
    input: z.object({ id: idSchema('job') }),
    output: jobSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};
