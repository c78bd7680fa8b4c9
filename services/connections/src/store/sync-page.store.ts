// What a walk writes: a page of the listing with the place where it ends, and the removal of what the listing did not meet. Each is
// one statement, which does nothing once the sync's lease is lost.
import { statement, type Queryable, type Statement } from '@kiln/platform';
import { folderId, type ListedNode } from '../domain/listed-nodes.js';
import { v7 as uuidv7 } from 'uuid';
import { leaseValues, type SyncLease } from './sync.store.js';

/**
 * A changed ETag or size is an update. Rows that are as they were are only marked, which touches no index. What was given is matched with
 * what there is once, by a range and an order that only the index of paths has, and never joined with itself: the planner takes both for few rows, and would compare each with each. It has no name, so
 * that it is planned for the table as it is now: a plan that was kept from before a first sync would read all of it for every page.
 */
const commitPage: Statement = {
  name: '',
  text: `with matched as materialized (
     select g.*, n.id as node_id, n.etag is distinct from g.etag or n.size_bytes is distinct from g.size_bytes as changed
     from unnest($6::uuid[], $7::uuid[], $8::boolean[], $9::text[], $10::text[], $11::bigint[], $12::text[], $13::text[],
         $14::timestamptz[]) as g (id, parent_id, is_file, name, path, size_bytes, etag, content_type, last_modified)
       left join lateral (
         select id, etag, size_bytes from node_rows
         where tenant_id = $1 and connection_id = $4 and path >= g.path and path <= g.path order by path limit 1
       ) n on true
   ), counted as materialized (
     select count(*) filter (where is_file) as listed, count(*) filter (where is_file and node_id is null) as added,
       count(*) filter (where is_file and node_id is not null and changed) as updated,
       count(*) filter (where node_id is null) as nodes
     from matched
   ), mine as (
     update syncs set position = coalesce($5, position), next_cursor = $17, listed = $17::text is null,
       empty_pages = case when $5::text is null then empty_pages + 1 else 0 end,
       failures = case when $5::text is null then failures else 0 end, due_at = now() + make_interval(secs => $15),
       synced_count = synced_count + counted.listed, files_added = files_added + counted.added,
       files_updated = files_updated + counted.updated, nodes_added = nodes_added + counted.nodes, skipped = skipped + $16
     from counted
     where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing'
       and (counted.nodes = 0 or nodes_before + nodes_added + counted.nodes <= $19)
     returning greatest(now(), started_at) as seen_at, empty_pages, skipped
   ), marked as (
     update node_rows n
     set seen_at = mine.seen_at, size_bytes = m.size_bytes, etag = m.etag, last_modified = m.last_modified
     from matched m, mine
     where n.tenant_id = $1 and n.id = m.node_id
   ), kept as (
     update node_rows n set seen_at = mine.seen_at from mine
     where n.tenant_id = $1 and n.connection_id = $4 and n.path = any ($18::text[])
   ), added as (
     insert into node_rows (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, etag, content_type,
       last_modified, seen_at)
     select $1, $4, m.id, m.parent_id, m.is_file, m.name, m.path, m.size_bytes, m.etag, m.content_type, m.last_modified, mine.seen_at
     from matched m, mine where m.node_id is null
     on conflict (tenant_id, connection_id, path) do update
       set seen_at = excluded.seen_at, size_bytes = excluded.size_bytes, etag = excluded.etag, last_modified = excluded.last_modified
   )
   select empty_pages, skipped from mine`,
};
const noteNodesBefore = statement(
  'sync_pages.note_nodes_before',
  `update syncs set nodes_before = $4 where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing' returning 1`,
);
/** The nodes from `$6` on, as many as `$7`: those that nobody has met since the walk began are gone. */
const removeUnseen = statement(
  'sync_pages.remove_unseen',
  `with held as materialized (
     select started_at from syncs where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing' for update
   ), looked_at as materialized (
     select is_file, id, seen_at from node_rows
     where tenant_id = $1 and connection_id = $4 and (is_file, id) > ($5::boolean, $6::uuid)
     order by is_file, id limit $7
   ), gone as (
     delete from node_rows n using looked_at l, held
     where n.tenant_id = $1 and n.id = l.id and l.seen_at < held.started_at and n.seen_at < held.started_at
     returning n.is_file
   ), counted as (
     update syncs set files_deleted = files_deleted + (select count(*) from gone where is_file),
       due_at = now() + make_interval(secs => $8)
     from held where tenant_id = $1 and id = $2
   )
   select (select count(*)::int from looked_at) as looked_at, last.is_file, last.id
   from held left join lateral (select is_file, id from looked_at order by is_file desc, id desc limit 1) last on true`,
);

export interface Page {
  nodes: readonly ListedNode[];
  /** Paths of objects that can't be kept as they are now: nodes of earlier syncs stay as they were. */
  kept: readonly string[];
  /** The last key that was listed; null for a page without objects. */
  position: string | null;
  /** The provider's token for the page after it; null when this is the last. */
  nextCursor: string | null;
  skipped: number;
}

export interface CommittedPage {
  /** In a row, this one included. */
  empty_pages: number;
  /** Of the whole sync. */
  skipped: number;
}

/** How far the removal has looked: folders come before files. */
export interface Looked {
  isFile: boolean;
  id: string;
}

export const NOTHING_LOOKED_AT: Looked = { isFile: false, id: '00000000-0000-0000-0000-000000000000' };

export class SyncPageStore {
  constructor(
    private readonly database: Queryable,
    private readonly leaseSeconds: number,
  ) {}

  /** Null when nothing was written: the lease is lost, or the connection would have more than `nodesMax` nodes. */
  async commit(
    lease: SyncLease,
    connectionId: string,
    { nodes, kept, position, nextCursor, skipped }: Page,
    nodesMax: number,
  ): Promise<CommittedPage | null> {
    const [committed] = await this.database.query<CommittedPage>(commitPage, [
      ...leaseValues(lease),
      connectionId,
      position,
      ...columnsOf(connectionId, nodes),
      this.leaseSeconds,
      skipped,
      nextCursor,
      kept,
      nodesMax,
    ]);
    return committed ?? null;
  }

  /** How many nodes the connection had when the sync began. False when the lease is lost. */
  async noteNodesBefore(lease: SyncLease, nodes: number): Promise<boolean> {
    return (await this.database.query(noteNodesBefore, [...leaseValues(lease), nodes])).length > 0;
  }

  /** Looks at `limit` nodes and removes what the walk has not met. Answers the last, null at the end, `lost` with the lease. */
  async removeUnseen(
    lease: SyncLease,
    connectionId: string,
    after: Looked,
    limit: number,
  ): Promise<Looked | null | 'lost'> {
    interface Answer {
      looked_at: number;
      is_file: boolean | null;
      id: string | null;
    }
    const [row] = await this.database.query<Answer>(removeUnseen, [
      ...leaseValues(lease),
      connectionId,
      after.isFile,
      after.id,
      limit,
      this.leaseSeconds,
    ]);
    if (!row) return 'lost';
    return row.looked_at < limit || row.id === null ? null : { isFile: row.is_file === true, id: row.id };
  }
}

function columnsOf(connectionId: string, nodes: readonly ListedNode[]): unknown[] {
  const sorted = nodes.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const parentIds = new Map<string, string>();
  const parentId = (path: string | null): string => {
    if (path === null) return connectionId;
    let id = parentIds.get(path);
    if (id === undefined) parentIds.set(path, (id = folderId(connectionId, path)));
    return id;
  };
  return [
    sorted.map(({ path, file }) => (file ? uuidv7() : parentId(path))),
    sorted.map(({ parent }) => parentId(parent)),
    sorted.map(({ file }) => file !== null),
    sorted.map(({ name }) => name),
    sorted.map(({ path }) => path),
    sorted.map(({ file }) => file?.sizeBytes ?? null),
    sorted.map(({ file }) => file?.etag ?? null),
    sorted.map(({ file }) => file?.contentType ?? null),
    sorted.map(({ file }) => file?.lastModified ?? null),
  ];
}
