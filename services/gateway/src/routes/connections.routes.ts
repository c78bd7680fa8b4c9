import {
  browseQuerySchema,
  connectionChangesSchema,
  connectionQuerySchema,
  connectionsOperations,
  idSchema,
  newConnectionSchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { exampleConnection, exampleObject, exampleS3Keys } from './connections.examples.js';
import type { GatewayServices } from '../services.port.js';
import { operationRoute } from './kinds.route.js';
import type { RouteRequest } from './request.route.js';

const writing = { tag: 'Connections', scope: 'connections:write' } as const;
const reading = { method: 'GET', tag: 'Connections', scope: 'connections:read' } as const;

const params = z.object({ id: idSchema('connection') });

/** The provider of the bucket must respond, so the time is longer than for other rows. */
export const BUCKET_TIMEOUT_MS = 22_000;

export const place = { provider: 's3' as const, name: exampleConnection.name, bucket: exampleConnection.bucket };

export const newConnection = <Body extends object>(
  { body, caller, ids }: RouteRequest<object, object, Body>,
  { quota }: Pick<GatewayServices, 'quota'>,
) => ({ ...body, id: ids.id('connection'), org_id: caller.organizationId, ...quota.syncLimits(caller) });

export const connectionsRoutes = [
  operationRoute({
    name: 'createConnection',
    ...writing,
    method: 'POST',
    path: '/v1/connections',
    summary: 'Create a connection.',
    description:
      'Stores the connection without a request to the bucket. The connection is `pending` until its first successful test or sync. To ' +
      'test the bucket first, use `POST /v1/connections/verify`.',
    body: newConnectionSchema,
    operation: connectionsOperations.createConnection,
    input: newConnection,
    success: 201,
    example: {
      request: place,
      response: { ...exampleConnection, region: null, prefix: null, auth_type: null, status: 'pending' },
    },
  }),
  operationRoute({
    name: 'listConnections',
    ...reading,
    path: '/v1/connections',
    summary: 'List connections.',
    query: connectionQuerySchema,
    operation: connectionsOperations.listConnections,
    example: { response: { connections: [exampleConnection], next_cursor: null } },
  }),
  operationRoute({
    name: 'getConnection',
    ...reading,
    path: '/v1/connections/:id',
    summary: 'Get a connection.',
    params,
    operation: connectionsOperations.getConnection,
    example: { response: exampleConnection },
  }),
  operationRoute({
    name: 'updateConnection',
    ...writing,
    method: 'PATCH',
    path: '/v1/connections/:id',
    summary: 'Update a connection.',
    description:
      'Changes the name, the region, the order of listings, the credentials, the schedule or the rules. Omitted fields keep their values. A new region and new credentials ' +
      'are tested first; if the bucket cannot be read with them, returns 400 with the reason and keeps the old ones. ' +
      'Nodes and syncs are kept.',
    params,
    body: connectionChangesSchema,
    operation: connectionsOperations.updateConnection,
    input: ({ params, body, caller }, { quota }) => ({
      ...body,
      ...params,
      org_id: caller.organizationId,
      ...quota.syncLimits(caller),
    }),
    timeoutMs: BUCKET_TIMEOUT_MS,
    example: { request: { credentials: exampleS3Keys }, response: exampleConnection },
  }),
  operationRoute({
    name: 'deleteConnection',
    ...writing,
    method: 'DELETE',
    path: '/v1/connections/:id',
    summary: 'Delete a connection.',
    description: 'Deletes its credentials and nodes. Files created from it are kept. Nothing in the bucket changes.',
    params,
    operation: connectionsOperations.deleteConnection,
    example: { response: { deleted: true } },
  }),
  operationRoute({
    name: 'testConnection',
    ...writing,
    method: 'POST',
    path: '/v1/connections/:id/test',
    summary: 'Test a connection.',
    description:
      'Lists the bucket, reads an object, and tries a signed URL. Returns 200 in either case: `success` is the result, `error` the reason for a failure. ' +
      'A `pending` connection becomes `active` after its first success. An `active` connection becomes `error` ' +
      'after a failure, and `active` again after the next success.',
    params,
    operation: connectionsOperations.testConnection,
    timeoutMs: BUCKET_TIMEOUT_MS,
    example: { response: { success: true, status: 'active', error: null } },
  }),
  operationRoute({
    name: 'browseConnection',
    ...reading,
    path: '/v1/connections/:id/browse',
    summary: 'Browse the objects of a bucket.',
    description:
      'Returns keys below the prefix of the connection, in the order of the provider. A page can hold fewer ' +
      'than `limit` objects without being the last. Returns 409 with the reason if the bucket cannot be listed, ' +
      'and 424 if it does not respond.',
    params,
    query: browseQuerySchema,
    operation: connectionsOperations.browseConnection,
    timeoutMs: BUCKET_TIMEOUT_MS,
    example: { response: { objects: [exampleObject], next_cursor: null } },
  }),
];
