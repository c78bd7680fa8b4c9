/**
 * Part of a statement that deletes nodes: keeps the nodes of files in `removed_nodes`, so that they get their ids again when a sync finds their
 * objects. `deleted` names the deleted rows.
 */
export const keepRemoved = (deleted: string, isAnnounced: boolean): string => `
  insert into removed_nodes (tenant_id, connection_id, id, path, etag, size_bytes, selected_version, announced, created_at)
  select tenant_id, connection_id, id, path, etag, size_bytes, selected_version, ${isAnnounced}, created_at from ${deleted} where is_file
  on conflict (tenant_id, connection_id, path) do update
    set id = excluded.id, etag = excluded.etag, size_bytes = excluded.size_bytes, selected_version = excluded.selected_version,
      announced = excluded.announced, created_at = excluded.created_at, removed_at = excluded.removed_at`;
