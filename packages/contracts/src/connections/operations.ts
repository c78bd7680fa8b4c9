import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation, type OperationInput, type OperationOutput } from '../core/operation.js';
import { bucketObjectsOperations } from './bucket-objects.js';
import { nodeUploadsOperations } from './node-uploads.js';
import { nodesOperations } from './nodes.js';
import { policyRevisionOf } from './policies.js';
import { syncsOperations } from './syncs.js';
import {
  browsedObjectsSchema,
  browseQuerySchema,
  bucketListSchema,
  connectionChangesSchema,
  connectionListSchema,
  connectionQuerySchema,
  connectionSchema,
  connectionTestSchema,
  listBucketsInput,
  newConnectionInput,
  planLimitsInput,
  providerListSchema,
  startedSchema,
  startSchema,
  verifiedConnectionSchema,
  verifyConnectionInput,
} from './schemas.js';

const idInput = z.object({ id: idSchema('connection') });

/** Calls an external store, which has a shorter deadline of its own. */
export const BUCKET_CALL_TIMEOUT_MS = 20_000;

export const connectionsOperations = {
  createConnection: operation({
    subject: 'connections.createConnection.v1',
    input: newConnectionInput,
    output: connectionSchema,
    errors: ['CONFLICT'],
    timeoutMs: 8_000,
    idempotent: true,
    revision: 2,
    revisionOf: policyRevisionOf,
  }),
  /** Creates nothing unless the bucket can be listed and read. Stores the region that the provider reports when the given one fails. */
  verifyConnection: operation({
    subject: 'connections.verifyConnection.v1',
    input: verifyConnectionInput,
    output: verifiedConnectionSchema,
    errors: ['CONFLICT'],
    timeoutMs: BUCKET_CALL_TIMEOUT_MS,
    idempotent: true,
    revision: 2,
    revisionOf: policyRevisionOf,
  }),
  listConnections: operation({
    subject: 'connections.listConnections.v1',
    input: connectionQuerySchema,
    output: connectionListSchema,
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  getConnection: operation({
    subject: 'connections.getConnection.v1',
    input: idInput,
    output: connectionSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** Tests new credentials, or a new region, first. If the bucket cannot be listed and read with them, nothing changes. */
  updateConnection: operation({
    subject: 'connections.updateConnection.v1',
    input: connectionChangesSchema.extend({ ...idInput.shape, org_id: idSchema('organization'), ...planLimitsInput }),
    output: connectionSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: BUCKET_CALL_TIMEOUT_MS,
    idempotent: true,
    revision: 2,
    revisionOf: policyRevisionOf,
  }),
  deleteConnection: operation({
    subject: 'connections.deleteConnection.v1',
    input: idInput,
    output: z.object({ deleted: z.literal(true) }),
    errors: ['NOT_FOUND'],
    timeoutMs: 5_000,
    idempotent: false,
  }),
  testConnection: operation({
    subject: 'connections.testConnection.v1',
    input: idInput,
    output: connectionTestSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: BUCKET_CALL_TIMEOUT_MS,
    idempotent: true,
  }),
  listBuckets: operation({
    subject: 'connections.listBuckets.v1',
    input: listBucketsInput,
    output: bucketListSchema,
    errors: [],
    timeoutMs: BUCKET_CALL_TIMEOUT_MS,
    idempotent: true,
  }),
  startConnection: operation({
    subject: 'connections.startConnection.v1',
    input: startSchema.extend({ org_id: idSchema('organization') }),
    output: startedSchema,
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  listProviders: operation({
    subject: 'connections.listProviders.v1',
    input: z.object({}),
    output: providerListSchema,
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** CONFLICT: the message says what the owner must change before the bucket can be listed. */
  browseConnection: operation({
    subject: 'connections.browseConnection.v1',
    input: browseQuerySchema.extend(idInput.shape),
    output: browsedObjectsSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: BUCKET_CALL_TIMEOUT_MS,
    idempotent: true,
  }),
  ...syncsOperations,
  ...nodesOperations,
  ...nodeUploadsOperations,
  ...bucketObjectsOperations,
};

type ConnectionsOperations = typeof connectionsOperations;
export type ConnectionsInput<Name extends keyof ConnectionsOperations> = OperationInput<ConnectionsOperations[Name]>;
export type ConnectionsOutput<Name extends keyof ConnectionsOperations> = OperationOutput<ConnectionsOperations[Name]>;
