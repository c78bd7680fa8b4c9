import {
  childrenQuerySchema,
  connectionsOperations,
  encodeId,
  idSchema,
  nodeCommitSchema,
  nodeCommittedSchema,
  nodeQuerySchema,
  nodeUploadSchema,
  ROOT_PARENT,
} from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { commitNodeUpload } from '../nodes/commit-upload.handler.js';
import { exampleDownload, exampleIds } from './examples.js';
import { givenIdSchema, idGiven } from './id-given.js';
import { exampleChild, exampleNode } from './nodes.examples.js';
import { handlerRoute, operationRoute } from './route.js';

const params = z.object({ id: idSchema('node') });
/** Waits for somebody else's store. */
const timeoutMs = 12_000;

const uploadRows = [
  operationRoute({
    name: 'initNodeUpload',
    method: 'POST',
    path: '/v1/nodes/upload/init',
    tag: 'Nodes',
    summary: 'Get a URL to upload an object into a connected bucket',
    description:
      'PUT the bytes to `upload_url` with `upload_headers`, then commit. A content type or size that is given has to be kept to where ' +
      'the provider can hold the upload to it. A path that is a node already keeps its `node_id`.',
    scope: 'connections:write',
    body: nodeUploadSchema.extend({ connection_id: givenIdSchema }),
    operation: connectionsOperations.initNodeUpload,
    input: ({ body }) => ({
      ...body,
      connection_id: idGiven('connection', body.connection_id),
      node_id: encodeId('node', uuidv7()),
    }),
    success: 200,
    timeoutMs,
    example: {
      request: { connection_id: exampleNode.connection_id, path: exampleNode.path, content_type: 'application/pdf' },
      response: {
        node_id: exampleNode.id,
        upload_url:
          'https://acme-documents.s3.eu-central-1.amazonaws.com/contracts/2026/lease.pdf?X-Amz-Signature=0f3a',
        upload_method: 'PUT',
        upload_headers: { 'content-type': 'application/pdf' },
        expires_in: 3600,
      },
    },
  }),
  handlerRoute({
    name: 'commitNodeUpload',
    method: 'POST',
    path: '/v1/nodes/upload/commit',
    tag: 'Nodes',
    summary: 'Make a node and a file of an uploaded object, and process it',
    description:
      '409 while the bytes are not in the bucket, 424 when it does not answer. Asked again it answers of the same file. `node_id` is another one than that of the ' +
      'upload only where a sync has met the object before.',
    scope: 'connections:write',
    body: nodeCommitSchema.extend({ node_id: givenIdSchema }),
    handler: commitNodeUpload,
    response: nodeCommittedSchema,
    success: 200,
    errors: ['NOT_FOUND', 'CONFLICT', 'QUOTA_EXCEEDED', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 20_000,
    example: {
      request: { node_id: exampleNode.id },
      response: { node_id: exampleNode.id, file_id: exampleIds.file, job_id: exampleIds.job, status: 'queued' },
    },
  }),
];

export const nodesRoutes = [
  ...uploadRows,
  operationRoute({
    name: 'listNodes',
    method: 'GET',
    path: '/v1/nodes',
    tag: 'Nodes',
    summary: 'List files and folders that syncs have found',
    description: 'Folders before files, each in the order in which they were found. Filters are combined with AND.',
    scope: 'connections:read',
    query: nodeQuerySchema.extend({
      connection_id: givenIdSchema.optional(),
      parent_id: givenIdSchema.optional().meta({
        description: `the folder whose nodes are asked for; \`${ROOT_PARENT}\` with connection_id: those in no folder`,
      }),
    }),
    operation: connectionsOperations.listNodes,
    input: ({ query: { connection_id, parent_id, ...query } }) => ({
      ...query,
      ...(connection_id !== undefined && { connection_id: idGiven('connection', connection_id) }),
      ...(parent_id !== undefined && {
        parent_id: parent_id === ROOT_PARENT ? ROOT_PARENT : idGiven('node', parent_id),
      }),
    }),
    success: 200,
    example: { response: { nodes: [exampleNode], next_cursor: null } },
  }),
  operationRoute({
    name: 'getNode',
    method: 'GET',
    path: '/v1/nodes/:id',
    tag: 'Nodes',
    summary: 'Get a node',
    scope: 'connections:read',
    params,
    operation: connectionsOperations.getNode,
    input: ({ params }) => params,
    success: 200,
    example: { response: exampleNode },
  }),
  operationRoute({
    name: 'listChildren',
    method: 'GET',
    path: '/v1/nodes/:id/children',
    tag: 'Nodes',
    summary: 'List what lies in a folder',
    scope: 'connections:read',
    params,
    query: childrenQuerySchema,
    operation: connectionsOperations.listChildren,
    input: ({ params, query }) => ({ ...query, ...params }),
    success: 200,
    example: { response: { nodes: [exampleChild], next_cursor: null } },
  }),
  operationRoute({
    name: 'downloadNode',
    method: 'GET',
    path: '/v1/nodes/:id/download',
    tag: 'Nodes',
    summary: 'Get a signed URL to the object of a file node',
    description: 'Good for an hour, without credentials; leads straight to the bucket. 409 for a folder.',
    scope: 'connections:read',
    params,
    operation: connectionsOperations.downloadNode,
    input: ({ params }) => params,
    success: 200,
    timeoutMs,
    example: { response: exampleDownload },
  }),
  operationRoute({
    name: 'deleteNode',
    method: 'DELETE',
    path: '/v1/nodes/:id',
    tag: 'Nodes',
    summary: 'Forget a node; nothing in the bucket changes',
    description:
      'A folder goes with everything in it. The next sync finds again what the bucket holds, under new ids for files.',
    scope: 'connections:write',
    params,
    operation: connectionsOperations.deleteNode,
    input: ({ params }) => params,
    success: 200,
    timeoutMs,
    example: { response: { deleted: true } },
  }),
];
