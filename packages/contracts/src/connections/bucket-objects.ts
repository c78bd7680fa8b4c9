// What other services ask of connected buckets. Credentials never leave the connections service: bytes are read by signed URLs.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { contentTypeSchema } from '../files/schemas.js';
import { ETAG_LENGTH_MAX } from './schemas.js';

/** So that answers stay under the size of a message: a path has up to 2,000 bytes. */
export const FILE_NODES_PER_CALL_MAX = 200;

const KEY_LENGTH_MAX = 2_048;

const connectionId = idSchema('connection');
const nodeId = idSchema('node');

/** A node as the files service needs it to make a file of it. */
export const fileNodeSchema = z.object({
  node_id: nodeId,
  connection_id: connectionId,
  path: z.string().max(KEY_LENGTH_MAX).meta({ description: 'the key in the bucket' }),
  name: z.string().max(KEY_LENGTH_MAX),
  size_bytes: z.int().min(0),
  etag: z.string().max(ETAG_LENGTH_MAX),
  content_type: contentTypeSchema.nullable().meta({ description: 'as the name tells' }),
});

const objectIn = z.object({ connection_id: connectionId, path: z.string().min(1).max(KEY_LENGTH_MAX) });

/** `etag` says of which bytes; null when there is no such object. */
const statSchema = z.object({ etag: z.string(), size_bytes: z.int().min(0) }).nullable();

export const bucketObjectsOperations = {
  /** The files of a connection in the order of their ids. NOT_FOUND once it is deleted. */
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
  /**
   * What the bucket holds now. NOT_FOUND: the connection is gone; CONFLICT: its owner has to change something; BUCKET_UNAVAILABLE:
   * the same may work later.
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
  /** A URL to an object for whoever processes it, and what it is: its type is told by its first bytes. */
  openObject: operation({
    subject: 'connections.openObject.v1',
    input: objectIn.extend({ filename: z.string(), claimed_type: contentTypeSchema.nullable() }),
    output: z.object({
      object: z
        .object({
          url: z.url(),
          bucket: z.string().meta({ description: 'the name of the bucket, for messages' }),
          etag: z.string(),
          etag_header: z.string().meta({ description: 'the header of the answer that names the version' }),
          size_bytes: z.int().min(0),
          content_type: contentTypeSchema,
        })
        .nullable()
        .meta({ description: 'null when there is no such object' }),
    }),
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 10_000,
    idempotent: true,
  }),
  /** A URL for people, which offers the object under this name. */
  signObject: operation({
    subject: 'connections.signObject.v1',
    input: objectIn.extend({ filename: z.string() }),
    output: z.object({ url: z.url(), expires_in: z.int() }),
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 4_000,
    idempotent: true,
  }),
};
