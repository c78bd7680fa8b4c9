import { encodeId, formatTimestamp, type ConnectionsOutput } from '@kiln/contracts';
import type { NodeRow } from './node.rows.js';

type NodeView = ConnectionsOutput<'getNode'>;
type ChildView = ConnectionsOutput<'listChildren'>['nodes'][number];

const typeOf = ({ is_file }: NodeRow) => (is_file ? 'file' : 'folder');

export function nodeView(row: NodeRow): NodeView {
  const { id, connection_id, parent_id, last_modified } = row;
  return {
    id: encodeId('node', id),
    connection_id: encodeId('connection', connection_id),
    parent_id: parent_id === connection_id ? null : encodeId('node', parent_id),
    type: typeOf(row),
    name: row.name,
    path: row.path,
    size_bytes: row.size_bytes,
    content_type: row.content_type,
    etag: row.etag,
    archived_in: row.archived_in,
    excluded_by: row.excluded_by,
    last_modified: last_modified === null ? null : formatTimestamp(last_modified),
    created_at: formatTimestamp(row.created_at),
  };
}

export function childView(row: NodeRow): ChildView {
  return { id: encodeId('node', row.id), type: typeOf(row), name: row.name, size_bytes: row.size_bytes };
}

type FileNode = ConnectionsOutput<'listFileNodes'>['nodes'][number];

/** A node that is a file, for the files service. `space`: of the files of its connection. */
export function fileNodeView(row: NodeRow, space: string): FileNode {
  return {
    node_id: encodeId('node', row.id),
    connection_id: encodeId('connection', row.connection_id),
    path: row.path,
    name: row.name,
    size_bytes: row.size_bytes ?? 0,
    etag: row.etag ?? '',
    content_type: row.content_type,
    space,
  };
}
