// The routes to connect a bucket: the providers, their instructions, and a test of the credentials.
import { connectionsOperations, listBucketsSchema, startSchema, verifyConnectionSchema } from '@kiln/contracts';
import { BUCKET_TIMEOUT_MS, newConnection, place } from './connections.routes.js';
import { exampleConnection, exampleInstructions, exampleS3Keys } from './connections.examples.js';
import { operationRoute } from './kinds.route.js';

const writing = { tag: 'Connections', scope: 'connections:write' } as const;

export const connectionSetupRoutes = [
  operationRoute({
    name: 'verifyConnection',
    ...writing,
    method: 'POST',
    path: '/v1/connections/verify',
    summary: 'Verify a bucket and create its connection.',
    description:
      'Lists the bucket with the credentials. If that fails, returns 400 with the reason and creates nothing. ' +
      'Credentials are encrypted at rest and never returned.',
    body: verifyConnectionSchema,
    operation: connectionsOperations.verifyConnection,
    input: newConnection,
    success: 201,
    timeoutMs: BUCKET_TIMEOUT_MS,
    example: {
      request: { ...place, region: exampleConnection.region, credentials: exampleS3Keys },
      response: { ...exampleConnection, verified: true },
    },
  }),
  operationRoute({
    name: 'startConnection',
    ...writing,
    method: 'POST',
    path: '/v1/connections/start',
    summary: 'Get the setup instructions for a provider.',
    body: startSchema,
    operation: connectionsOperations.startConnection,
    input: ({ body, caller }) => ({ ...body, org_id: caller.organizationId }),
    example: {
      request: { provider: 's3' },
      response: { provider: 's3', auth_type: 'role_assumption', instructions: exampleInstructions },
    },
  }),
  operationRoute({
    name: 'listConnectionBuckets',
    ...writing,
    method: 'POST',
    path: '/v1/connections/list-buckets',
    summary: 'List the buckets visible to credentials.',
    description:
      'The credentials are not stored. Returns 400 with the reason if the provider rejects the request. Some providers allow a key to read one bucket but not to list buckets.',
    body: listBucketsSchema,
    operation: connectionsOperations.listBuckets,
    input: ({ body, caller }) => ({ ...body, org_id: caller.organizationId }),
    timeoutMs: BUCKET_TIMEOUT_MS,
    example: {
      request: { provider: 's3', credentials: exampleS3Keys },
      response: { buckets: [{ name: exampleConnection.bucket, region: exampleConnection.region }] },
    },
  }),
  operationRoute({
    name: 'listConnectionProviders',
    method: 'GET',
    path: '/v1/connections/providers',
    tag: 'Connections',
    summary: 'List connection providers.',
    scope: 'connections:read',
    operation: connectionsOperations.listProviders,
    example: {
      response: {
        providers: [
          {
            id: 's3',
            name: 'Amazon S3',
            auth_type: 'role_assumption',
            auth_types: ['role_assumption', 'access_key'],
          },
        ],
      },
    },
  }),
];
