// Operations of the connections service for other services. Credentials never leave it: bytes are read through signed URLs.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { contentTypeSchema, SPACE_LENGTH_MAX } from '../files/schemas.js';
import { changePolicies } from './policies.js';
import { bucketErrorSchema } from './bucket-errors.js';
import { ETAG_LENGTH_MAX } from './schemas.js';

/** Keeps a response below the message size limit: a path has up to 2,000 bytes. */
export const FILE_NODES_PER_CALL_MAX = 200;

const KEY_LENGTH_MAX = 2_048;

const connectionId = idSchema('connection');
const nodeId = idSchema('node');

/** A node with the fields that the files service needs to create a file. */
export const fileNodeSchema = z.object({
  node_id: nodeId,
  connection_id: connectionId,
  path: z.string().max(KEY_LENGTH_MAX).meta({ description: 'the key in the bucket' }),
  name: z.string().max(KEY_LENGTH_MAX),
  size_bytes: z.int().min(0),
  etag: z.string().max(ETAG_LENGTH_MAX),
  content_type: contentTypeSchema.nullable().meta({ description: 'derived from the file name' }),
  space: z.string().max(SPACE_LENGTH_MAX).optional().meta({ description: 'the space of a new file' }),
});

const objectIn = z.object({ connection_id: connectionId, path: z.string().min(1).max(KEY_LENGTH_MAX) });

/** `etag` identifies the bytes. Null if the object does not exist, or the provider refuses to show it. */
const statSchema = z.object({ etag: z.string(), size_bytes: z.int().min(0) }).nullable();

export const bucketObjectsOperations = {
  /** The file nodes of a connection that can be read, so without archived ones, ordered by id. NOT_FOUND if the connection was deleted. */
  listFileNodes: operation({
    subject: 'connections.listFileNodes.v1',
    input: z.object({
      connection_id: connectionId,
      after: nodeId.nullable().meta({ description: 'the last of the page before' }),
      limit: z.int().min(1).max(FILE_NODES_PER_CALL_MAX),
    }),
    output: z.object({ nodes: z.array(fileNodeSchema), is_last: z.boolean() }),
    errors: ['NOT_FOUND'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /** The nodes among those named that automatic processing still selects; none once it is off. NOT_FOUND if the connection was deleted. */
  getSelectedNodes: operation({
    subject: 'connections.getSelectedNodes.v1',
    input: z.object({ connection_id: connectionId, node_ids: z.array(nodeId).min(1).max(FILE_NODES_PER_CALL_MAX) }),
    output: z.object({
      nodes: z.array(fileNodeSchema),
      rest: z
        .array(nodeId)
        .meta({ description: 'selected nodes that do not fit into the message; ask for them again' }),
      on_change: z.enum(changePolicies),
      pages_limit: z.int().min(0).nullable().meta({ description: 'the hard limit of the plan; null if it has none' }),
    }),
    errors: ['NOT_FOUND'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /**
   * The current state of objects in the bucket. NOT_FOUND: the connection was deleted. CONFLICT: its owner must change something.
   * BUCKET_UNAVAILABLE:
   * retry later.
   */
  statObjects: operation({
    subject: 'connections.statObjects.v1',
    input: z.object({
      connection_id: connectionId,
      paths: z.array(z.string().min(1).max(KEY_LENGTH_MAX)).min(1).max(200),
    }),
    output: z.object({ objects: z.array(statSchema).meta({ description: 'in the order of the paths' }) }),
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 12_000,
    idempotent: true,
  }),
  /** A URL to an object for processing, and its content type, detected from the first bytes. */
  openObject: operation({
    subject: 'connections.openObject.v1',
    input: objectIn.extend({ filename: z.string(), claimed_type: contentTypeSchema.nullable() }),
    output: z.object({
      object: z
        .object({
          url: z.url(),
          url_holds_credentials: z
            .boolean()
            .optional()
            .meta({ description: 'whether the URL contains the credentials of the bucket' }),
          bucket: z.string().meta({ description: 'the name of the bucket, for messages' }),
          etag: z.string(),
          etag_header: z.string().meta({ description: 'the header of the answer that names the version' }),
          size_bytes: z.int().min(0),
          content_type: contentTypeSchema,
        })
        .nullable()
        .meta({ description: 'null when there is no such object, or it cannot be read' }),
      fault: bucketErrorSchema
        .nullish()
        .meta({ description: 'what the owner must change before the object can be read' }),
    }),
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 10_000,
    idempotent: true,
  }),
  /** A download URL that suggests this filename. */
  signObject: operation({
    subject: 'connections.signObject.v1',
    input: objectIn.extend({ filename: z.string() }),
    output: z.object({ url: z.url(), expires_in: z.int() }),
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 4_000,
    idempotent: true,
  }),
};
