import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation, type OperationInput, type OperationOutput } from '../core/operation.js';
import { traceparentSchema } from '../core/trace.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { requestTimeSchema } from '../gateway/request-time.js';
import { filesEvents } from '../files/events.js';
import { spaceSchema } from '../files/schemas.js';
import { extractionsOperations } from './extractions.js';
import { providerKeysOperations } from './provider-keys.js';
import { routingRulesOperations } from './routing-rules.js';
import { jobDetailSchema, jobSchema, jobStatusSchema } from './schemas.js';
import { settingsOperations } from './settings.js';
import { usageOperations } from './usage.js';

/** Keeps the request below the message size limit. */
export const JOBS_PER_CALL_MAX = 200;

const jobListFields = {
  space: spaceSchema.optional(),
  status: jobStatusSchema.optional(),
  file_id: idSchema('file').optional().meta({ description: 'The jobs of this file.' }),
  batch_id: idSchema('batch').optional().meta({ description: 'The jobs that were created with this batch.' }),
  limit: limitSchema(50),
  cursor: cursorSchema,
};

/** The query of `GET /v1/jobs`. */
export const jobListQuerySchema = z.object({
  ...jobListFields,
  since: requestTimeSchema.optional().meta({ description: 'Only jobs that were created at or after this time.' }),
});

export const jobsOperations = {
  /** Accepts the same requests as the event `file.processing.requested`; the first to arrive creates the job. All or none. */
  createJobs: operation({
    subject: 'jobs.createJobs.v1',
    input: z.object({
      jobs: z
        .array(filesEvents.processingRequested.data.extend({ traceparent: traceparentSchema }))
        .min(1)
        .max(JOBS_PER_CALL_MAX),
    }),
    output: z.object({ created: z.int().meta({ description: 'jobs that were not there before' }) }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /** Does the same as the event `file.deleted`: deletes the jobs of deleted files. */
  deleteJobs: operation({
    subject: 'jobs.deleteJobs.v1',
    input: z.object({ file_ids: z.array(idSchema('file')).min(1).max(JOBS_PER_CALL_MAX) }),
    output: z.object({}),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /**
   * All jobs of the tenant by status, for the reconciliation of derived numbers. Reads an index entry of each. Superseded jobs of a file that exists count
   * also after their deletion.
   */
  countJobs: operation({
    subject: 'jobs.countJobs.v1',
    input: z.object({}),
    output: z.object({ status_counts: z.record(jobStatusSchema, z.int().min(0)) }),
    errors: [],
    timeoutMs: 30_000,
    idempotent: true,
  }),
  checkJobs: operation({
    subject: 'jobs.checkJobs.v1',
    input: z.object({ jobs: z.array(filesEvents.processingRequested.data).min(1).max(JOBS_PER_CALL_MAX) }),
    output: z.object({
      states: z.array(z.object({ job_id: idSchema('job'), status: jobStatusSchema, fence: z.int().min(0) })),
    }),
    errors: [],
    timeoutMs: 10_000,
    idempotent: true,
  }),
  getJob: operation({
    subject: 'jobs.getJob.v1',
    input: z.object({ id: idSchema('job') }),
    output: jobDetailSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  listJobs: operation({
    subject: 'jobs.listJobs.v1',
    input: z.object({ ...jobListFields, since: z.iso.datetime().optional() }),
    output: z.object({ jobs: z.array(jobSchema), next_cursor: nextCursorSchema }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
    revision: 2,
    revisionOf: ({ file_id, batch_id, since }) =>
      [file_id, batch_id, since].every((option) => option === undefined) ? 1 : 2,
  }),
  /** Not retried: a cancelled job cannot be cancelled again. */
  cancelJob: operation({
    subject: 'jobs.cancelJob.v1',
    input: z.object({ id: idSchema('job') }),
    output: z.object({ id: idSchema('job'), status: z.literal('cancelled') }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: 5_000,
    idempotent: false,
  }),
  retryJob: operation({
    subject: 'jobs.retryJob.v1',
    input: z.object({ id: idSchema('job') }),
    output: z.object({ id: idSchema('job'), status: z.literal('queued') }),
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 20_000,
    idempotent: false,
  }),
  ...extractionsOperations,
  ...settingsOperations,
  ...routingRulesOperations,
  ...providerKeysOperations,
  ...usageOperations,
};

type JobsOperations = typeof jobsOperations;
export type JobsInput<Name extends keyof JobsOperations> = OperationInput<JobsOperations[Name]>;
export type JobsOutput<Name extends keyof JobsOperations> = OperationOutput<JobsOperations[Name]>;
