// The statements that apply what a bucket says about keys that may have changed. They run in one transaction, after the lock. Those without a name
// are planned for the current size of the tables, like the pages of a sync.
import { statement, type Statement } from '@kiln/platform';
import { versionOf } from '../nodes/object-version.statement.js';
import { keepRemoved } from '../nodes/removed-nodes.statement.js';

/**
 * Fences the transaction: no row once the lease $3 is lost, or while a sync of the connection is pending or running. Locks the connection
 * first, in the same order as its deletion.
 */
export const lockPoll = statement(
  'node_changes.lock',
  `with connection as materialized (
     select auto_process, on_change, on_delete from connections where tenant_id = $1 and id = $2 and deleted_at is null for share
   )
   select c.auto_process, c.on_change = 'reprocess' as is_reprocessing, c.on_delete = 'delete' as is_deletion, now() as applied_at
   from connection c cross join lateral (
     select 1 from queue_polls where tenant_id = $1 and connection_id = $2 and lease = $3 for update
   ) held
   where not exists (select 1 from syncs where tenant_id = $1 and connection_id = $2 and status in ('pending', 'syncing'))`,
);

/**
 * Removes the files with the paths $3 that were not seen after $4. Those that the last completed sync has found, which ended at $6, count: if they
 * are more than $5, none of them is removed.
 */
export const removeGone: Statement = {
  name: '',
  text: `with gone as materialized (
     select id, created_at <= $6::timestamptz as counts from nodes
     where tenant_id = $1 and connection_id = $2 and path = any ($3::text[]) and is_file and seen_at <= $4::timestamptz
   ), removed as (
     delete from nodes n using gone g
     where n.tenant_id = $1 and n.id = g.id and n.seen_at <= $4::timestamptz
       and (not g.counts or (select count(*) from gone where counts) <= $5::bigint)
     returning n.*, g.counts
   ), kept as (
     ${keepRemoved('removed', false)}
   )
   select (select count(*) from gone where counts) <= $5::bigint as fits, array(select id from removed) as removed,
     array(select id from removed where counts) as counting`,
};

/**
 * Inserts and updates nodes. Inserts none if there would be more than $4 new ones. A node that was seen after $3 is newer than the given state, and stays
 * unchanged. A new node gets the id of the removed node with its path, or of a removed node with the same ETag and size (a moved object), or of an
 * uncommitted upload to its path.
 */
export const putNodes: Statement = {
  name: '',
  text: `with given as materialized (
     select g.*, n.id as node_id, r.id as former_id, r.selected_version, r.created_at, u.id as upload_id
     from unnest($5::uuid[], $6::uuid[], $7::boolean[], $8::text[], $9::text[], $10::bigint[], $11::text[], $12::text[],
         $13::timestamptz[], $14::text[], $15::text[]) as g (id, parent_id, is_file, name, path, size_bytes, etag, content_type,
         last_modified, archived_in, excluded_by)
       left join lateral (
         select id from nodes where tenant_id = $1 and connection_id = $2 and path >= g.path and path <= g.path order by path limit 1
       ) n on true
       left join lateral (
         select id, selected_version, created_at from removed_nodes
         where n.id is null and g.is_file and tenant_id = $1 and connection_id = $2 and path >= g.path and path <= g.path
         order by path limit 1
       ) r on true
       left join lateral (
         select id from node_uploads p
         where n.id is null and r.id is null and g.is_file and tenant_id = $1 and connection_id = $2 and path = g.path
           and not placed and not exists (select 1 from nodes x where x.tenant_id = $1 and x.id = p.id)
         order by id limit 1
       ) u on true
   ), counted as materialized (
     select count(*) as nodes, count(*) <= $4::bigint as fits from given where node_id is null
   ), added as materialized (
     select path, etag, size_bytes, row_number() over (partition by etag, size_bytes order by path) as number from given
     where is_file and node_id is null and former_id is null and upload_id is null and etag ~ '^[0-9a-fA-F]{32}(-[0-9]+)?$'
   ), gone as materialized (
     select r.*, row_number() over (partition by r.etag, r.size_bytes order by r.id) as number
     from (select distinct etag, size_bytes from added) a
       join removed_nodes r on r.tenant_id = $1 and r.connection_id = $2 and not r.announced and r.etag = a.etag and r.size_bytes = a.size_bytes
   ), moved as materialized (
     select a.path, g.id, g.selected_version, g.created_at from added a join gone g using (etag, size_bytes, number)
   ), changed as (
     update nodes n
     set seen_at = now(), size_bytes = g.size_bytes, etag = g.etag, last_modified = g.last_modified, archived_in = g.archived_in,
       excluded_by = g.excluded_by
     from given g
     where n.tenant_id = $1 and n.id = g.node_id and n.is_file and n.seen_at <= $3::timestamptz
     returning n.id
   ), inserted as (
     insert into nodes (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, etag, content_type, last_modified,
       archived_in, excluded_by, selected_version, created_at)
     select $1, $2, coalesce(m.id, g.former_id, g.upload_id, g.id), g.parent_id, g.is_file, g.name, g.path, g.size_bytes, g.etag,
       g.content_type, g.last_modified, g.archived_in, g.excluded_by, coalesce(m.selected_version, g.selected_version),
       coalesce(m.created_at, g.created_at, now())
     from counted join given g on counted.fits and g.node_id is null left join moved m on m.path = g.path
     on conflict (tenant_id, connection_id, path) do nothing
     returning id, path, name, is_file
   ), placed as (
     update node_uploads set placed = true where tenant_id = $1 and id = any (array(select upload_id from given where upload_id is not null))
   ), forgotten as (
     delete from removed_nodes r where r.tenant_id = $1 and r.id = any (array(select id from inserted where is_file))
   )
   select counted.fits, (select count(*)::int from inserted) as added,
     array(select id from changed union all select id from inserted where is_file) as files,
     (select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'path', i.path, 'name', i.name)), '[]')
      from inserted i join moved m on m.id = i.id) as moved
   from counted`,
};

/** Ends the removal of the nodes $2 that no object has got. */
export const concludeRemoval = statement(
  'node_changes.conclude_removal',
  `with deleted as (
     delete from removed_nodes where $3::boolean and tenant_id = $1 and id = any ($2::uuid[]) and not announced returning id
   ), kept as (
     update removed_nodes set announced = true
     where not $3::boolean and tenant_id = $1 and id = any ($2::uuid[]) and not announced
   )
   select id from deleted order by id`,
);

/** Of the files $2, selects those that were not selected before, or not in this version if changed ones are to be processed again ($3). */
export const selectFiles = statement(
  'node_changes.select',
  `update nodes n set selected_version = ${versionOf('n')}
   where tenant_id = $1 and id = any ($2::uuid[]) and excluded_by is null and archived_in is null
     and (selected_version is null or ($3::boolean and selected_version <> ${versionOf('n')}))
   returning id`,
);

/** $3: files removed that count. $4: nodes added, without the other files removed. */
export const countChanges = statement(
  'node_changes.count',
  `update queue_polls set nodes_removed = nodes_removed + $3, nodes_added = nodes_added + $4 where tenant_id = $1 and connection_id = $2`,
);
