import {
  idSchema,
  jobChangesBodySchema,
  jobChangesSchema,
  jobListQuerySchema,
  jobsOperations,
  WAIT_SECONDS_MAX,
  waitQuerySchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { exampleJob, exampleTimeline } from './shared.examples.js';
import { cancelJobs, retryJobs } from '../jobs/change-jobs.handler.js';
import { getJob } from '../jobs/get-job.handler.js';
import { retryJob } from '../jobs/retry-job.handler.js';
import { handlerRoute, operationRoute } from './kinds.route.js';

const reading = { method: 'GET', tag: 'Jobs', scope: 'jobs:read' } as const;

const writing = { tag: 'Jobs', scope: 'jobs:write' } as const;

/** Of a request with `wait`, and of the calls that read the state. */
export const WAIT_MS = (WAIT_SECONDS_MAX + 10) * 1_000;

const CHANGES_TIMEOUT_MS = 30_000;
/** Up to 100 jobs are changed one by one. */
const CHANGES_UNITS = 32;

export const jobsRoutes = [
  handlerRoute({
    name: 'cancelJobs',
    ...writing,
    method: 'POST',
    path: '/v1/jobs/cancel',
    summary: 'Cancel up to 100 jobs.',
    description:
      'Send either `job_ids` or a `selection` of queued and processing jobs. Each job is cancelled as by a request for it alone; `errors` lists those ' +
      'that were not. Of a larger selection, 100 jobs are cancelled, and `more` is true.',
    body: jobChangesBodySchema,
    units: () => CHANGES_UNITS,
    handler: cancelJobs,
    response: jobChangesSchema,
    timeoutMs: CHANGES_TIMEOUT_MS,
    example: {
      request: { selection: { space: 'default' } },
      response: { changed: 12, errors: [], more: false },
    },
  }),
  handlerRoute({
    name: 'retryJobs',
    ...writing,
    method: 'POST',
    path: '/v1/jobs/retry',
    summary: 'Retry up to 100 failed jobs.',
    description:
      'Send either `job_ids` or a `selection` of failed jobs. Each job is retried as by a request for it alone; `errors` lists those that were not. Of ' +
      'a larger selection, 100 jobs are retried, and `more` is true. Jobs that cannot be retried stay in the selection: see `errors`.',
    body: jobChangesBodySchema,
    units: () => CHANGES_UNITS,
    handler: retryJobs,
    response: jobChangesSchema,
    timeoutMs: CHANGES_TIMEOUT_MS,
    example: {
      request: { job_ids: [exampleJob.id] },
      response: {
        changed: 0,
        errors: [{ job_id: exampleJob.id, code: 'CONFLICT', message: 'The job has not failed.' }],
      },
    },
  }),
  operationRoute({
    name: 'listJobs',
    ...reading,
    path: '/v1/jobs',
    summary: 'List jobs.',
    description:
      'Returns the newest jobs first. Filters are combined with AND. By default, Kiln deletes a job 90 days after a newer job of its file has ended.',
    query: jobListQuerySchema,
    operation: jobsOperations.listJobs,
    input: ({ query: { since, ...query } }) => ({ ...query, ...(since && { since: since.toISOString() }) }),
    example: { response: { jobs: [exampleJob], next_cursor: null } },
  }),
  handlerRoute({
    name: 'getJob',
    ...reading,
    path: '/v1/jobs/:id',
    summary: 'Get a job with its timeline.',
    description:
      '`timeline` lists every step of every attempt: the provider, the duration, and the reason for a failure. ' +
      'An attempt whose worker died or was stopped ends as `interrupted`; the next attempt resumes after the ' +
      'last completed step. With `wait`, the response comes when the job has ended. By default, Kiln deletes a job 90 days after a newer ' +
      'job of its file has ended; the newest job is kept as long as the file.',
    params: z.object({ id: idSchema('job') }),
    query: waitQuerySchema,
    handler: getJob,
    response: jobsOperations.getJob.output,
    timeoutMs: WAIT_MS,
    example: { response: { ...exampleJob, timeline: exampleTimeline } },
  }),
  operationRoute({
    name: 'cancelJob',
    ...writing,
    method: 'POST',
    path: '/v1/jobs/:id/cancel',
    summary: 'Cancel a queued or processing job.',
    description:
      'The job never completes, and later writes of its attempt are discarded. Its file returns to `uploaded`, ' +
      'or to `uploading` if the bytes are missing. Existing variants are kept. Returns 409 if the job has ' +
      'already ended.',
    params: z.object({ id: idSchema('job') }),
    operation: jobsOperations.cancelJob,
    example: { response: { id: exampleJob.id, status: 'cancelled' } },
  }),
  handlerRoute({
    name: 'retryJob',
    ...writing,
    method: 'POST',
    path: '/v1/jobs/:id/retry',
    summary: 'Retry a failed job.',
    description:
      'The job resumes after the last completed step. Returns 409 if the job has not failed, if its file has a ' +
      'newer job, or if the bytes of the file are not in storage, and 424 if they are in a connected bucket that does ' +
      'not respond.',
    params: z.object({ id: idSchema('job') }),
    handler: retryJob,
    response: jobsOperations.retryJob.output,
    errors: ['NOT_FOUND', 'CONFLICT', 'QUOTA_EXCEEDED', 'BUCKET_UNAVAILABLE'],
    timeoutMs: jobsOperations.retryJob.timeoutMs + 2_000,
    example: { response: { id: exampleJob.id, status: 'queued' } },
  }),
];
