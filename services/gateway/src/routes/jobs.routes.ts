import { idSchema, jobsOperations } from '@kiln/contracts';
import { z } from 'zod';
import { exampleJob } from './examples.js';
import { operationRoute } from './route.js';

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
    scope: 'jobs:read',
    params: z.object({ id: idSchema('job') }),
    operation: jobsOperations.getJob,
    input: ({ params }) => params,
    success: 200,
    example: { response: exampleJob },
  }),
];
