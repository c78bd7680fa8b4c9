import { idSchema, jobsOperations } from '@kiln/contracts';
import { z } from 'zod';
import { exampleJob, exampleTimeline } from './examples.js';
import { retryJob } from '../jobs/retry-job.handler.js';
import { handlerRoute, operationRoute } from './route.js';

export const jobsRoutes = [
  operationRoute({
    name: 'listJobs',
    method: 'GET',
    path: '/v1/jobs',
    tag: 'Jobs',
    summary: 'List jobs',
    description: 'Newest first. Filters are combined with AND.',
    scope: 'jobs:read',
    query: jobsOperations.listJobs.input,
    operation: jobsOperations.listJobs,
    input: ({ query }) => query,
    success: 200,
    example: { response: { jobs: [exampleJob], next_cursor: null } },
  }),
  operationRoute({
    name: 'getJob',
    method: 'GET',
    path: '/v1/jobs/:id',
    tag: 'Jobs',
    summary: 'Get a job: how far the processing of a file has come',
    description:
      '`timeline` tells every step of every run: who did it, how long it took, and why it failed. A run that a dead or ' +
      'stopped worker left behind ends as `interrupted`, and the next one goes on after the last finished step.',
    scope: 'jobs:read',
    params: z.object({ id: idSchema('job') }),
    operation: jobsOperations.getJob,
    input: ({ params }) => params,
    success: 200,
    example: { response: { ...exampleJob, timeline: exampleTimeline } },
  }),
  operationRoute({
    name: 'cancelJob',
    method: 'POST',
    path: '/v1/jobs/:id/cancel',
    tag: 'Jobs',
    summary: 'Cancel a queued or processing job',
    description:
      'It never completes, and what its run still writes is not seen. Its file is `uploaded` again, or `uploading` while the ' +
      'bytes are missing; variants that were there stay. 409 for a job that has ended, a cancelled one included.',
    scope: 'jobs:write',
    params: z.object({ id: idSchema('job') }),
    operation: jobsOperations.cancelJob,
    input: ({ params }) => params,
    success: 200,
    example: { response: { id: exampleJob.id, status: 'cancelled' } },
  }),
  handlerRoute({
    name: 'retryJob',
    method: 'POST',
    path: '/v1/jobs/:id/retry',
    tag: 'Jobs',
    summary: 'Retry a failed job',
    description:
      'It goes on after the last step that was finished. 409 for a job that is not failed, when its file has a newer job, and ' +
      'when the bytes of the file are not in storage.',
    scope: 'jobs:write',
    params: z.object({ id: idSchema('job') }),
    handler: retryJob,
    response: jobsOperations.retryJob.output,
    success: 200,
    errors: ['NOT_FOUND', 'CONFLICT', 'QUOTA_EXCEEDED'],
    example: { response: { id: exampleJob.id, status: 'queued' } },
  }),
];
