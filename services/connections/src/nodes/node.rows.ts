import type { NodeEntity } from './node.entity.js';

export const NODE_COLUMNS = `tenant_id, id, connection_id, parent_id, is_file, name, path, size_bytes, etag, content_type, archived_in,
  excluded_by, last_modified, created_at`;

/** The columns of a node that are read. */
export type NodeRow = Omit<NodeEntity, 'seen_at' | 'unlisted_since' | 'selected_version'>;
