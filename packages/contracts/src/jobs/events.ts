import { z } from 'zod';
import { event } from '../core/event.js';
import { idSchema } from '../core/ids.js';
import { fileLabelsSchema, providerSchema, variantTypeSchema } from '../files/schemas.js';
import { jobErrorSchema } from './schemas.js';

const outcomeSchema = fileLabelsSchema.extend({
  file_id: idSchema('file'),
  job_id: idSchema('job'),
  space: z.string(),
  filename: z.string(),
  content_type: z.string().nullable(),
  provider: providerSchema.nullable(),
  variants: z.array(variantTypeSchema),
  /** Fencing token of the run. A consumer uses it to reject an outdated outcome. */
  fence: z.int(),
});

/** A caller changed a job. The change took the fencing token `fence`; runs with a lower one can no longer write. */
const changeSchema = z.object({ job_id: idSchema('job'), file_id: idSchema('file'), fence: z.int() });

export const jobsEvents = {
  processingCompleted: event({
    type: 'file.processing.completed',
    owner: 'jobs',
    data: outcomeSchema.extend({
      duration_ms: z.int().min(0).meta({ description: 'of the run that completed the job' }),
    }),
  }),
  processingFailed: event({
    type: 'file.processing.failed',
    owner: 'jobs',
    data: outcomeSchema.extend({ error: jobErrorSchema }),
  }),
  jobFailed: event({
    type: 'job.failed',
    owner: 'jobs',
    data: z.object({ job_id: idSchema('job'), file_id: idSchema('file'), attempts: z.int(), error: jobErrorSchema }),
  }),
  jobCancelled: event({ type: 'job.cancelled', owner: 'jobs', data: changeSchema }),
  jobRetried: event({ type: 'job.retried', owner: 'jobs', data: changeSchema }),
};
