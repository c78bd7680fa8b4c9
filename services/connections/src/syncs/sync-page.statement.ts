// Commits a page of a listing with its checkpoint, in one statement, which does nothing once the lease is lost.
import type { Statement } from '@kiln/platform';

/**
 * A changed ETag or size is an update. An unchanged row is only marked as seen, which updates no index. A node that was seen after $20, when
 * the page was requested, is that of an upload, and newer than the page.
 *
 * A node whose path had one that was removed gets the id of that one, its time, and the version that was selected for processing.
 *
 * The lateral join with a range and an order forces the index of paths. The planner underestimates the rows of the page, and would
 * compare each row with each in a plain join. The statement has no name, so that it is planned for the current size of the table: a plan
 * cached before the first sync would read the whole table for every page.
 */
export const commitPage: Statement = {
  name: '',
  text: `with matched as materialized (
     select g.*, n.id as node_id, n.seen_at, r.id as former_id, r.selected_version, r.created_at,
       n.seen_at < $20::timestamptz and (n.etag is distinct from g.etag or n.size_bytes is distinct from g.size_bytes) as changed
     from unnest($6::uuid[], $7::uuid[], $8::boolean[], $9::text[], $10::text[], $11::bigint[], $12::text[], $13::text[],
         $14::timestamptz[], $21::text[], $22::text[]) as g (id, parent_id, is_file, name, path, size_bytes, etag, content_type,
         last_modified, archived_in, excluded_by)
       left join lateral (
         select id, etag, size_bytes, seen_at from nodes
         where tenant_id = $1 and connection_id = $4 and path >= g.path and path <= g.path order by path limit 1
       ) n on true
       left join lateral (
         select id, selected_version, created_at from removed_nodes
         where n.id is null and g.is_file and tenant_id = $1 and connection_id = $4 and path >= g.path and path <= g.path
         order by path limit 1
       ) r on true
   ), counted as materialized (
     select count(*) filter (where is_file) as listed, count(*) filter (where is_file and node_id is null) as added,
       count(*) filter (where is_file and node_id is not null and changed) as updated,
       count(*) filter (where excluded_by is not null) as excluded, count(*) filter (where node_id is null) as nodes,
       count(*) filter (where node_id is null or seen_at < (select started_at from syncs where tenant_id = $1 and id = $2)) as fresh
     from matched
   ), mine as (
     update syncs set position = coalesce($5, position), next_cursor = $17, listed = $17::text is null,
       empty_pages = case when $5::text is null then empty_pages + 1 else 0 end,
       failures = case when $5::text is null then failures else 0 end,
       bucket_failures = case when $5::text is null then bucket_failures else 0 end, due_at = now() + make_interval(secs => $15),
       synced_count = synced_count + counted.listed, files_added = files_added + counted.added,
       files_updated = files_updated + counted.updated, nodes_added = nodes_added + counted.nodes,
       nodes_listed = nodes_listed + counted.fresh, skipped = skipped + $16,
       files_excluded = files_excluded + counted.excluded
     from counted
     where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing'
       and (counted.nodes = 0 or (nodes_listed + counted.fresh <= $19::bigint
         and nodes_before + nodes_added + counted.nodes <= 2 * $19::bigint))
     returning greatest(now(), started_at) as seen_at, empty_pages, skipped
   ), marked as (
     update nodes n
     set seen_at = mine.seen_at, archived_in = m.archived_in, excluded_by = m.excluded_by,
       size_bytes = case when n.seen_at < $20 then m.size_bytes else n.size_bytes end,
       etag = case when n.seen_at < $20 then m.etag else n.etag end,
       last_modified = case when n.seen_at < $20 then m.last_modified else n.last_modified end
     from matched m, mine
     where n.tenant_id = $1 and n.id = m.node_id
   ), unchanged as (
     update nodes n set seen_at = mine.seen_at from mine
     where n.tenant_id = $1 and n.connection_id = $4 and n.path = any ($18::text[])
   ), added as (
     insert into nodes as n (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, etag, content_type,
       last_modified, archived_in, excluded_by, selected_version, created_at, seen_at)
     select $1, $4, coalesce(m.former_id, m.id), m.parent_id, m.is_file, m.name, m.path, m.size_bytes, m.etag, m.content_type, m.last_modified, m.archived_in,
       m.excluded_by, m.selected_version, coalesce(m.created_at, now()), mine.seen_at
     from matched m, mine where m.node_id is null
     on conflict (tenant_id, connection_id, path) do update
       set seen_at = excluded.seen_at, archived_in = excluded.archived_in, excluded_by = excluded.excluded_by,
         size_bytes = case when n.seen_at < $20 then excluded.size_bytes else n.size_bytes end,
         etag = case when n.seen_at < $20 then excluded.etag else n.etag end,
         last_modified = case when n.seen_at < $20 then excluded.last_modified else n.last_modified end
   ), returned as (
     delete from removed_nodes r using matched m, mine where r.tenant_id = $1 and r.id = m.former_id
   )
   select empty_pages, skipped, clock_timestamp() as committed_at from mine`,
};
