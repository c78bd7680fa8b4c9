import type { NodeEntity } from './node.entity.js';

export const NODE_COLUMNS = `tenant_id, id, connection_id, parent_id, is_file, name, path, size_bytes, etag, content_type, last_modified,
  created_at`;

/** What is read of a node. */
export type NodeRow = Omit<NodeEntity, 'seen_at'>;
