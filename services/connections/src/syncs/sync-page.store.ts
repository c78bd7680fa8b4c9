// The writes of a sync: a page of the listing with its checkpoint, and the removal of nodes that the listing did not contain. Each is one
// statement, which does nothing once the lease is lost.
import { Database, statement, type Statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { folderId, type ListedNode } from '../nodes/listed-nodes.domain.js';
import { v7 as uuidv7 } from 'uuid';
import { LEASE_SECONDS, leaseValues, type SyncLease } from './sync.store.js';

/**
 * A changed ETag or size is an update. An unchanged row is only marked as seen, which updates no index.
 *
 * The lateral join with a range and an order forces the index of paths. The planner underestimates the rows of the page, and would
 * compare each row with each in a plain join. The statement has no name, so that it is planned for the current size of the table: a plan
 * cached before the first sync would read the whole table for every page.
 */
const commitPage: Statement = {
  name: '',
  text: `with matched as materialized (
     select g.*, n.id as node_id, n.etag is distinct from g.etag or n.size_bytes is distinct from g.size_bytes as changed
     from unnest($6::uuid[], $7::uuid[], $8::boolean[], $9::text[], $10::text[], $11::bigint[], $12::text[], $13::text[],
         $14::timestamptz[]) as g (id, parent_id, is_file, name, path, size_bytes, etag, content_type, last_modified)
       left join lateral (
         select id, etag, size_bytes from nodes
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
     update nodes n
     set seen_at = mine.seen_at, size_bytes = m.size_bytes, etag = m.etag, last_modified = m.last_modified
     from matched m, mine
     where n.tenant_id = $1 and n.id = m.node_id
   ), unchanged as (
     update nodes n set seen_at = mine.seen_at from mine
     where n.tenant_id = $1 and n.connection_id = $4 and n.path = any ($18::text[])
   ), added as (
     insert into nodes (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, etag, content_type,
       last_modified, seen_at)
     select $1, $4, m.id, m.parent_id, m.is_file, m.name, m.path, m.size_bytes, m.etag, m.content_type, m.last_modified, mine.seen_at
     from matched m, mine where m.node_id is null
     on conflict (tenant_id, connection_id, path) do update
       set seen_at = excluded.seen_at, size_bytes = excluded.size_bytes, etag = excluded.etag, last_modified = excluded.last_modified
   )
   select empty_pages, skipped from mine`,
};
/** Fenced. */
const storeNodesBefore = statement(
  'sync_pages.store_nodes_before',
  `update syncs set nodes_before = $4 where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing' returning 1`,
);
/** Set-based and fenced. Of the `$7` nodes after `$6`, removes those that were not seen since the sync began. */
const removeUnseen = statement(
  'sync_pages.remove_unseen',
  `with held as materialized (
     select started_at from syncs where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing' for update
   ), checked as materialized (
     select is_file, id, seen_at from nodes
     where tenant_id = $1 and connection_id = $4 and (is_file, id) > ($5::boolean, $6::uuid)
     order by is_file, id limit $7
   ), removed as (
     delete from nodes n using checked c, held
     where n.tenant_id = $1 and n.id = c.id and c.seen_at < held.started_at and n.seen_at < held.started_at
     returning n.is_file
   ), counted as (
     update syncs set files_deleted = files_deleted + (select count(*) from removed where is_file),
       due_at = now() + make_interval(secs => $8)
     from held where tenant_id = $1 and id = $2
   )
   select (select count(*)::int from checked) as checked, last.is_file, last.id
   from held left join lateral (select is_file, id from checked order by is_file desc, id desc limit 1) last on true`,
);

export interface Page {
  nodes: readonly ListedNode[];
  /** Paths of objects whose properties cannot be stored. Their earlier nodes stay unchanged. */
  unstorable: readonly string[];
  /** The last key of the page. Null for a page without objects. */
  position: string | null;
  /** The provider's token for the next page. Null for the last page. */
  nextCursor: string | null;
  skipped: number;
}

export interface CommittedPage {
  /** Consecutive empty pages, this one included. */
  empty_pages: number;
  /** Objects skipped by the whole sync. */
  skipped: number;
}

/** The last node that the removal has checked. Folders come before files. */
export interface RemovalPosition {
  isFile: boolean;
  id: string;
}

export const REMOVAL_START: RemovalPosition = { isFile: false, id: '00000000-0000-0000-0000-000000000000' };

@Injectable()
export class SyncPageStore {
  constructor(private readonly database: Database) {}

  /** Null when nothing was written, because the lease is lost or the connection would exceed `nodesMax` nodes. */
  async commit(
    lease: SyncLease,
    connectionId: string,
    { nodes, unstorable, position, nextCursor, skipped }: Page,
    nodesMax: number,
  ): Promise<CommittedPage | null> {
    const [committed] = await this.database.query<CommittedPage>(commitPage, [
      ...leaseValues(lease),
      connectionId,
      position,
      ...columnsOf(connectionId, nodes),
      LEASE_SECONDS,
      skipped,
      nextCursor,
      unstorable,
      nodesMax,
    ]);
    return committed ?? null;
  }

  /** Stores how many nodes the connection had when the sync began. False when the lease is lost. */
  async storeNodesBefore(lease: SyncLease, nodes: number): Promise<boolean> {
    return (await this.database.query(storeNodesBefore, [...leaseValues(lease), nodes])).length > 0;
  }

  /** Checks `limit` nodes and removes those that were not seen. Returns the last one; null at the end; `lost` when the lease is lost. */
  async removeUnseen(
    lease: SyncLease,
    connectionId: string,
    after: RemovalPosition,
    limit: number,
  ): Promise<RemovalPosition | null | 'lost'> {
    interface Answer {
      checked: number;
      is_file: boolean | null;
      id: string | null;
    }
    const [row] = await this.database.query<Answer>(removeUnseen, [
      ...leaseValues(lease),
      connectionId,
      after.isFile,
      after.id,
      limit,
      LEASE_SECONDS,
    ]);
    if (!row) return 'lost';
    return row.checked < limit || row.id === null ? null : { isFile: row.is_file === true, id: row.id };
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
