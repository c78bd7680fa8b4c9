import { idSchema, jobsOperations } from '@kiln/contracts';
import { z } from 'zod';
import { exampleJob } from './examples.js';
import { operationRoute } from './route.js';

export const jobsRoutes = [
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
