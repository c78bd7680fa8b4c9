// Nodes: the files and folders that syncs have found in connected buckets.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { timestampSchema } from '../core/timestamps.js';
import { downloadSchema } from '../files/downloads.js';
import { ruleNames } from './rules.js';
import { ETAG_LENGTH_MAX } from './schemas.js';

export const nodeTypeSchema = z.enum(['file', 'folder']);

/** The value of `parent_id` that selects the top level. */
export const ROOT_PARENT = 'root';

const STORAGE_CLASS_LENGTH_MAX = 64;
/** Syncs skip objects with longer keys. */
const NODE_KEY_BYTES_MAX = 2_000;

export const nodeSchema = z.object({
  id: idSchema('node'),
  connection_id: idSchema('connection'),
  parent_id: idSchema('node').nullable().meta({ description: 'The parent folder. Null at the top level.' }),
  type: nodeTypeSchema,
  name: z
    .string()
    .max(NODE_KEY_BYTES_MAX)
    .meta({ examples: ['report.pdf'] }),
  path: z
    .string()
    .max(NODE_KEY_BYTES_MAX)
    .meta({ description: 'The key in the bucket. The key of a folder ends with `/`.', examples: ['2026/report.pdf'] }),
  size_bytes: z.int().min(0).nullable().meta({ description: 'Null for a folder.' }),
  content_type: z.string().max(255).nullable().meta({ description: 'Derived from the file name. Null if unknown.' }),
  etag: z.string().max(ETAG_LENGTH_MAX).nullable(),
  archived_in: z
    .string()
    .max(STORAGE_CLASS_LENGTH_MAX)
    .nullable()
    .optional()
    .meta({
      description:
        'The storage class of an archived object, such as `GLACIER`, which cannot be read until it is restored. Else null.',
      examples: [null],
    }),
  excluded_by: z
    .enum(ruleNames)
    .nullable()
    .optional()
    .meta({
      description:
        'The rule of the connection that leaves the object out of automatic processing, as the last sync found. Null if no rule does.',
      examples: [null],
    }),
  last_modified: timestampSchema.nullable(),
  created_at: timestampSchema,
});

export const childNodeSchema = z.object({
  id: idSchema('node'),
  type: nodeTypeSchema,
  name: z.string().max(NODE_KEY_BYTES_MAX),
  size_bytes: z.int().min(0).nullable().meta({ description: 'Null for a folder.' }),
});

const paging = { type: nodeTypeSchema.optional(), limit: limitSchema(50), cursor: cursorSchema };

export const nodeQuerySchema = z.object({
  connection_id: idSchema('connection').optional(),
  parent_id: z
    .union([idSchema('node'), z.literal(ROOT_PARENT)], { error: `must be the id of a node, or ${ROOT_PARENT}` })
    .optional()
    .meta({
      description: `Return the nodes of this folder. \`${ROOT_PARENT}\`, together with \`connection_id\`, returns the nodes at the top level.`,
    }),
  ...paging,
});

export const childrenQuerySchema = z.object(paging);

export const nodeListSchema = z.object({ nodes: z.array(nodeSchema), next_cursor: nextCursorSchema });
export const childListSchema = z.object({ nodes: z.array(childNodeSchema), next_cursor: nextCursorSchema });

const byId = z.object({ id: idSchema('node') });

export const nodesOperations = {
  listNodes: operation({
    subject: 'connections.listNodes.v1',
    input: nodeQuerySchema,
    output: nodeListSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  getNode: operation({
    subject: 'connections.getNode.v1',
    input: byId,
    output: nodeSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  listChildren: operation({
    subject: 'connections.listChildren.v1',
    input: byId.extend(childrenQuerySchema.shape),
    output: childListSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  downloadNode: operation({
    subject: 'connections.downloadNode.v1',
    input: byId,
    output: downloadSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 8_000,
    idempotent: true,
  }),
  /** Deletes the node, and the children of a folder. Does not change the bucket. */
  deleteNode: operation({
    subject: 'connections.deleteNode.v1',
    input: byId,
    output: z.object({ deleted: z.literal(true) }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: 10_000,
    idempotent: false,
  }),
};
