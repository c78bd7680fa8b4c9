import {
  browseQuerySchema,
  connectionChangesSchema,
  connectionQuerySchema,
  connectionsOperations,
  encodeId,
  idSchema,
  listBucketsSchema,
  newConnectionSchema,
  startSchema,
  verifyConnectionSchema,
} from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { exampleConnection, exampleInstructions, exampleObject, exampleS3Keys } from './connections.examples.js';
import { operationRoute } from './route.js';

const params = z.object({ id: idSchema('connection') });
const newId = () => encodeId('connection', uuidv7());

/** Rows that wait for somebody else's store wait longer than others. */
const timeoutMs = 22_000;

const place = { provider: 's3' as const, name: exampleConnection.name, bucket: exampleConnection.bucket };

export const connectionsRoutes = [
  operationRoute({
    name: 'createConnection',
    method: 'POST',
    path: '/v1/connections',
    tag: 'Connections',
    summary: 'Connect a bucket without trying it',
    description:
      'The connection is `pending` until its first successful test or sync. `POST /v1/connections/verify` tries the bucket ' +
      'first, and is what most want.',
    scope: 'connections:write',
    body: newConnectionSchema,
    operation: connectionsOperations.createConnection,
    input: ({ body, caller }) => ({ ...body, id: newId(), org_id: caller.organizationId }),
    success: 201,
    example: {
      request: place,
      response: { ...exampleConnection, region: null, prefix: null, auth_type: null, status: 'pending' },
    },
  }),
  operationRoute({
    name: 'verifyConnection',
    method: 'POST',
    path: '/v1/connections/verify',
    tag: 'Connections',
    summary: 'Try a bucket, and connect it',
    description:
      'The bucket is listed with the credentials. 400 tells why that failed, and then nothing was created. Credentials are ' +
      'kept sealed and never told again.',
    scope: 'connections:write',
    body: verifyConnectionSchema,
    operation: connectionsOperations.verifyConnection,
    input: ({ body, caller }) => ({ ...body, id: newId(), org_id: caller.organizationId }),
    success: 201,
    timeoutMs,
    example: {
      request: { ...place, region: exampleConnection.region, credentials: exampleS3Keys },
      response: { ...exampleConnection, verified: true },
    },
  }),
  operationRoute({
    name: 'startConnection',
    method: 'POST',
    path: '/v1/connections/start',
    tag: 'Connections',
    summary: 'How to let Kiln into a bucket of this provider',
    scope: 'connections:write',
    body: startSchema,
    operation: connectionsOperations.startConnection,
    input: ({ body, caller }) => ({ ...body, org_id: caller.organizationId }),
    success: 200,
    example: {
      request: { provider: 's3' },
      response: { provider: 's3', auth_type: 'role_assumption', instructions: exampleInstructions },
    },
  }),
  operationRoute({
    name: 'listConnectionBuckets',
    method: 'POST',
    path: '/v1/connections/list-buckets',
    tag: 'Connections',
    summary: 'List the buckets that credentials see',
    description:
      'Nothing is kept. 400 tells why the provider did not answer; some let keys see one bucket and list none.',
    scope: 'connections:write',
    body: listBucketsSchema,
    operation: connectionsOperations.listBuckets,
    input: ({ body, caller }) => ({ ...body, org_id: caller.organizationId }),
    success: 200,
    timeoutMs,
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
    summary: 'List the providers whose buckets can be connected',
    scope: 'connections:read',
    operation: connectionsOperations.listProviders,
    input: () => ({}),
    success: 200,
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
  operationRoute({
    name: 'listConnections',
    method: 'GET',
    path: '/v1/connections',
    tag: 'Connections',
    summary: 'List connections, oldest first',
    scope: 'connections:read',
    query: connectionQuerySchema,
    operation: connectionsOperations.listConnections,
    input: ({ query }) => query,
    success: 200,
    example: { response: { connections: [exampleConnection], next_cursor: null } },
  }),
  operationRoute({
    name: 'getConnection',
    method: 'GET',
    path: '/v1/connections/:id',
    tag: 'Connections',
    summary: 'Get a connection',
    scope: 'connections:read',
    params,
    operation: connectionsOperations.getConnection,
    input: ({ params }) => params,
    success: 200,
    example: { response: exampleConnection },
  }),
  operationRoute({
    name: 'updateConnection',
    method: 'PATCH',
    path: '/v1/connections/:id',
    tag: 'Connections',
    summary: 'Rename a connection, or give it other credentials',
    description:
      'What is left out stays as it is. New credentials are tried first: 400 tells why the bucket can not be listed with them, and ' +
      'then the old ones stay. Nodes and syncs are kept.',
    scope: 'connections:write',
    params,
    body: connectionChangesSchema,
    operation: connectionsOperations.updateConnection,
    input: ({ params, body, caller }) => ({ ...body, ...params, org_id: caller.organizationId }),
    success: 200,
    timeoutMs,
    example: { request: { credentials: exampleS3Keys }, response: exampleConnection },
  }),
  operationRoute({
    name: 'deleteConnection',
    method: 'DELETE',
    path: '/v1/connections/:id',
    tag: 'Connections',
    summary: 'Delete a connection; nothing in the bucket changes',
    description: 'Its credentials and nodes go, files that were made from it stay.',
    scope: 'connections:write',
    params,
    operation: connectionsOperations.deleteConnection,
    input: ({ params }) => params,
    success: 200,
    example: { response: { deleted: true } },
  }),
  operationRoute({
    name: 'testConnection',
    method: 'POST',
    path: '/v1/connections/:id/test',
    tag: 'Connections',
    summary: 'Try whether the bucket can be listed',
    description:
      '200 in either case: `success` says whether it can, `error` why it can not. A `pending` connection becomes `active` with ' +
      'its first success; one that worked before becomes `error` with a failure, and `active` again with the next success.',
    scope: 'connections:write',
    params,
    operation: connectionsOperations.testConnection,
    input: ({ params }) => params,
    success: 200,
    timeoutMs,
    example: { response: { success: true, status: 'active', error: null } },
  }),
  operationRoute({
    name: 'browseConnection',
    method: 'GET',
    path: '/v1/connections/:id/browse',
    tag: 'Connections',
    summary: 'List objects of the bucket without a sync',
    description:
      'Keys in the order of the provider, those below the prefix of the connection only. A page may hold fewer than `limit`, and ' +
      'still not be the last. 409 says why the bucket can not be listed, 424 that it does not answer.',
    scope: 'connections:read',
    params,
    query: browseQuerySchema,
    operation: connectionsOperations.browseConnection,
    input: ({ params, query }) => ({ ...query, ...params }),
    success: 200,
    timeoutMs,
    example: { response: { objects: [exampleObject], next_cursor: null } },
  }),
];
