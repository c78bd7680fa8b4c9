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
import { exampleDownload, exampleIds } from './shared.examples.js';
import { givenIdSchema, idGiven } from './given-id.domain.js';
import { exampleChild, exampleNode } from './nodes.examples.js';
import { handlerRoute, operationRoute } from './kinds.route.js';

const writing = { tag: 'Nodes', scope: 'connections:write' } as const;
const reading = { method: 'GET', tag: 'Nodes', scope: 'connections:read' } as const;

const params = z.object({ id: idSchema('node') });
/** The store of the customer must respond. */
const timeoutMs = 12_000;

export const nodesRoutes = [
  operationRoute({
    name: 'initNodeUpload',
    ...writing,
    method: 'POST',
    path: '/v1/nodes/upload/init',
    summary: 'Create an upload into a connected bucket.',
    description:
      'Send the bytes to `upload_url` with PUT and `upload_headers`, then commit the upload. If you declare a ' +
      'content type or a size, the upload must match it where the provider can enforce that. If the path is ' +
      'already a node, its `node_id` is kept.',
    body: nodeUploadSchema.extend({ connection_id: givenIdSchema }),
    operation: connectionsOperations.initNodeUpload,
    input: ({ body }) => ({
      ...body,
      connection_id: idGiven('connection', body.connection_id),
      node_id: encodeId('node', uuidv7()),
    }),
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
    ...writing,
    method: 'POST',
    path: '/v1/nodes/upload/commit',
    summary: 'Commit an upload and process the file.',
    description:
      'Creates the node and the file. Returns 409 if the bytes are not in the bucket, and 424 if the bucket ' +
      'does not respond. A repeated commit returns the same file. `node_id` differs from that of the upload ' +
      'only if a sync found the object first.',
    body: nodeCommitSchema.extend({ node_id: givenIdSchema }),
    handler: commitNodeUpload,
    response: nodeCommittedSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'QUOTA_EXCEEDED', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 20_000,
    example: {
      request: { node_id: exampleNode.id },
      response: { node_id: exampleNode.id, file_id: exampleIds.file, job_id: exampleIds.job, status: 'queued' },
    },
  }),
  operationRoute({
    name: 'listNodes',
    ...reading,
    path: '/v1/nodes',
    summary: 'List nodes.',
    description:
      'Returns the files and folders found by syncs: folders first, each in the order in which they were found. Filters are combined with AND.',
    query: nodeQuerySchema.extend({
      connection_id: givenIdSchema.optional(),
      parent_id: givenIdSchema.optional().meta({
        description: `Return the nodes of this folder. \`${ROOT_PARENT}\`, together with \`connection_id\`, returns the nodes at the top level.`,
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
    example: { response: { nodes: [exampleNode], next_cursor: null } },
  }),
  operationRoute({
    name: 'getNode',
    ...reading,
    path: '/v1/nodes/:id',
    summary: 'Get a node.',
    params,
    operation: connectionsOperations.getNode,
    example: { response: exampleNode },
  }),
  operationRoute({
    name: 'listChildren',
    ...reading,
    path: '/v1/nodes/:id/children',
    summary: 'List the children of a folder.',
    params,
    query: childrenQuerySchema,
    operation: connectionsOperations.listChildren,
    example: { response: { nodes: [exampleChild], next_cursor: null } },
  }),
  operationRoute({
    name: 'downloadNode',
    ...reading,
    path: '/v1/nodes/:id/download',
    summary: 'Get a download URL for a node.',
    description:
      'The URL points to the bucket, is valid for one hour, and needs no credentials. Returns 409 for a folder.',
    params,
    operation: connectionsOperations.downloadNode,
    timeoutMs,
    example: { response: exampleDownload },
  }),
  operationRoute({
    name: 'deleteNode',
    ...writing,
    method: 'DELETE',
    path: '/v1/nodes/:id',
    summary: 'Delete a node.',
    description:
      'Deleting a folder deletes everything in it. Nothing in the bucket changes. The next sync finds the objects again, and adds the nodes with their former ids.',
    params,
    operation: connectionsOperations.deleteNode,
    timeoutMs,
    example: { response: { deleted: true } },
  }),
];
