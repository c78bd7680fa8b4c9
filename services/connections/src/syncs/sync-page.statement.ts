// Commits a page of a listing with its checkpoint, in one statement, which does nothing once the lease is lost.
import type { Statement } from '@kiln/platform';

/**
 * A changed ETag or size is an update. A listing by ranges writes only the nodes that differ from the page, which has $25 others. Any other
 * listing marks each node as seen, which updates no index. A node that was seen after $20, when the page was requested, is that of an upload, and newer than the page.
 *
 * The page belongs to a range after $27, of which the keys up to $26 were listed before. The folders of its keys may lie before the range. They are marked as
 * seen, because the page of another range that covers them does not contain them. $28 is the number of the range, and $29 its checkpoint.
 *
 * Objects after $26 are new if no node is stored up to the last of them, and are not looked up one by one. A first sync takes a tenth less time.
 *
 * A node whose path had one that was removed gets the id of that one, its time, and the version that was selected for processing.
 *
 * Lateral joins with a range and an order, and conditions with `any (array(…))`, force the indexes. The planner underestimates the rows of the
 * page and of a table that grows, and would read the whole table in a plain join. The statement has no name, so that it is planned for the
 * current size of the table: a plan cached before the first sync would read the whole table for every page.
 */
export const commitPage: Statement = {
  name: '',
  text: `with held as materialized (
     select started_at, coalesce(connection_version < 0, false) and inventory is null as by_range,
       exists (select 1 from removed_nodes where tenant_id = $1 and connection_id = $4) as has_removed,
       (select id from nodes where tenant_id = $1 and connection_id = $4 and path > $26 and path <= ($10::text[])[cardinality($10)]
         order by path limit 1) is not null as has_stored
     from syncs where tenant_id = $1 and id = $2
   ), matched as materialized (
     select g.*, n.id as node_id, r.id as former_id, r.selected_version, r.created_at,
       n.seen_at < $20::timestamptz and (n.etag is distinct from g.etag or n.size_bytes is distinct from g.size_bytes) as changed,
       case when held.by_range then g.path collate "C" > $26 else n.id is null or n.seen_at < held.started_at end as is_first,
       not held.by_range or n.unlisted_since is not null or n.archived_in is distinct from g.archived_in
         or n.excluded_by is distinct from g.excluded_by
         or n.seen_at < $20 and (n.etag is distinct from g.etag or n.size_bytes is distinct from g.size_bytes
           or n.last_modified is distinct from g.last_modified)
         or g.path collate "C" <= $27 and n.seen_at < held.started_at as is_written
     from held cross join unnest($6::uuid[], $7::uuid[], $8::boolean[], $9::text[], $10::text[], $11::bigint[], $12::text[], $13::text[],
         $14::timestamptz[], $21::text[], $22::text[]) as g (id, parent_id, is_file, name, path, size_bytes, etag, content_type,
         last_modified, archived_in, excluded_by)
       left join lateral (
         select id, etag, size_bytes, last_modified, archived_in, excluded_by, seen_at, unlisted_since from nodes
         where (held.has_stored or not held.by_range or g.path collate "C" <= $26) and tenant_id = $1 and connection_id = $4 and path >= g.path and path <= g.path order by path limit 1
       ) n on true
       left join lateral (
         select id, selected_version, created_at from removed_nodes
         where held.has_removed and n.id is null and g.is_file and tenant_id = $1 and connection_id = $4 and path >= g.path and path <= g.path
         order by path limit 1
       ) r on true
   ), unstorable as materialized (
     select n.id from unnest($18::text[]) as g (path) cross join lateral (
       select id from nodes where tenant_id = $1 and connection_id = $4 and path >= g.path and path <= g.path order by path limit 1
     ) n
   ), counted as materialized (
     select count(*) filter (where is_file and node_id is null) as added,
       count(*) filter (where is_file and node_id is not null and changed) as updated,
       count(*) filter (where node_id is null) as nodes, count(*) filter (where is_first) + $25::int as fresh
     from matched
   ), mine as (
     update syncs set position = case when $28::int is null then coalesce($5, position) else position end,
       next_cursor = case when $28::int is null then $17 else next_cursor end, ranges = case when $28::int is not null then jsonb_set(ranges, array[$28::text], $29) end,
       listed = case when $28::int is null then $17::text is null
         else not jsonb_path_exists(jsonb_set(ranges, array[$28::text], $29), '$[*] ? (@.listed == false)') end,
       empty_pages = case when $5::text is null then empty_pages + 1 else 0 end,
       failures = case when $5::text is null then failures else 0 end,
       bucket_failures = case when $5::text is null then bucket_failures else 0 end, due_at = now() + make_interval(secs => $15),
       synced_count = synced_count + $23::int, files_added = files_added + counted.added,
       files_updated = files_updated + counted.updated, nodes_added = nodes_added + counted.nodes,
       nodes_listed = nodes_listed + counted.fresh, skipped = skipped + $16,
       files_excluded = files_excluded + $24::int
     from counted
     where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing'
       and (counted.nodes = 0 or (nodes_listed + counted.fresh <= $19::bigint
         and nodes_before + nodes_added + counted.nodes <= 2 * $19::bigint))
     returning greatest(now(), started_at) as seen_at, empty_pages, skipped
   ), marked as (
     update nodes n
     set seen_at = mine.seen_at, unlisted_since = null, archived_in = m.archived_in, excluded_by = m.excluded_by,
       size_bytes = case when n.seen_at < $20 then m.size_bytes else n.size_bytes end,
       etag = case when n.seen_at < $20 then m.etag else n.etag end,
       last_modified = case when n.seen_at < $20 then m.last_modified else n.last_modified end
     from matched m, mine
     where n.tenant_id = $1 and n.id = m.node_id and n.id = any (array(select node_id from matched where is_written and node_id is not null))
   ), unchanged as (
     update nodes n set seen_at = mine.seen_at, unlisted_since = null from mine, held
     where n.tenant_id = $1 and n.id = any (array(select id from unstorable)) and (not held.by_range or n.unlisted_since is not null)
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
     delete from removed_nodes r using mine
     where r.tenant_id = $1 and r.id = any (array(select former_id from matched where former_id is not null))
   )
   select empty_pages, skipped, clock_timestamp() as committed_at from mine`,
};
