// Nodes that a listing does not contain: they are marked, and removed after the complete listing. Each statement is fenced, and does nothing
// once the lease is lost.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { keepRemoved } from '../nodes/removed-nodes.statement.js';
import type { Page } from './sync-page.store.js';
import { LEASE_SECONDS, leaseValues, type SyncLease } from './sync.store.js';

const HELD = `select started_at from syncs where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing'`;

/**
 * Of the `$7` nodes after `$5` and up to `$6`, or to the last one, marks those that the page does not contain, and that were not seen since the
 * listing began. Returns the paths of the page whose node is not among them, or differs. Does nothing unless `$8` says whether the listing is one
 * by ranges: otherwise, other nodes are unlisted.
 *
 * Planned for its values, because Postgres looks up a constant list by hash. `except` is hashed too, whatever the planner expects of the rows.
 */
const compare = statement(
  'unlisted_nodes.compare',
  `with held as materialized (
     ${HELD} and (coalesce(connection_version < 0, false) and inventory is null) = $8::boolean for update
   ), checked as materialized (
     select n.*, held.started_at from held cross join lateral (
       select id, path, size_bytes, etag, last_modified, archived_in, excluded_by, seen_at, unlisted_since from nodes
       where tenant_id = $1 and connection_id = $4 and path > $5
         and path <= coalesce($6, (select path from nodes where tenant_id = $1 and connection_id = $4 order by path desc limit 1))
       order by path limit $7
     ) n
   ), marked as (
     update nodes n set unlisted_since = held.started_at from held
     where n.tenant_id = $1 and n.seen_at < held.started_at and n.id = any (array(
       select id from checked
       where seen_at < started_at and unlisted_since is distinct from started_at and path <> all ($9::text[]) and path <> all ($15::text[])
     ))
   ), different as (
     select * from unnest($9::text[], $10::bigint[], $11::text[], $12::timestamptz[], $13::text[], $14::text[])
     except
     select path, size_bytes, etag, last_modified, archived_in, excluded_by from checked where unlisted_since is null
   )
   select (select count(*)::int from checked) as checked, (select path from checked order by path desc limit 1) as last,
     array(select path from different as d (path)) as different
   from held`,
  { plannedForValues: true },
);
/** Set-based. Of the `$7` marked nodes after `$5` and `$6`, removes those that this listing has marked. */
const removeUnlisted = statement(
  'unlisted_nodes.remove',
  `with held as materialized (
     ${HELD} for update
   ), checked as materialized (
     select is_file, id from nodes
     where tenant_id = $1 and connection_id = $4 and unlisted_since is not null and (is_file, id) > ($5::boolean, $6::uuid)
     order by is_file, id limit $7
   ), removed as (
     delete from nodes n using held
     where n.tenant_id = $1 and n.unlisted_since = held.started_at and n.seen_at < held.started_at
       and n.id = any (array(select id from checked))
     returning n.*
   ), kept as (
     ${keepRemoved('removed', false)}
   ), counted as (
     update syncs set files_deleted = files_deleted + (select count(*) from removed where is_file),
       due_at = now() + make_interval(secs => $8)
     from held where tenant_id = $1 and id = $2
   )
   select (select count(*)::int from checked) as checked, last.is_file, last.id
   from held left join lateral (select is_file, id from checked order by is_file desc, id desc limit 1) last on true`,
);

/** A part of the nodes in the order of their paths: those after `after`, up to `upTo`. Null: to the last one. */
export interface PathRange {
  after: string;
  upTo: string | null;
}

export type PageNodes = Pick<Page, 'nodes' | 'excluded' | 'unstorable'>;

/** The last node that the removal has checked. Folders come before files. */
export interface RemovalPosition {
  isFile: boolean;
  id: string;
}

export const REMOVAL_START: RemovalPosition = { isFile: false, id: '00000000-0000-0000-0000-000000000000' };

@Injectable()
export class UnlistedNodeStore {
  constructor(private readonly database: Database) {}

  /**
   * Checks `limit` nodes: marks those that are not on the page. `last`: the last path, null at the end. `lost` when the lease is lost, or the
   * listing has another mode.
   */
  async compare(
    { lease, connectionId, byRange }: { lease: SyncLease; connectionId: string; byRange: boolean },
    { after, upTo }: PathRange,
    { nodes, excluded, unstorable }: PageNodes,
    limit: number,
  ): Promise<{ different: ReadonlySet<string>; last: string | null } | 'lost'> {
    interface Answer {
      checked: number;
      last: string | null;
      different: string[];
    }
    const columns = [
      nodes.map(({ path }) => path),
      nodes.map(({ file }) => file?.sizeBytes ?? null),
      nodes.map(({ file }) => file?.etag ?? null),
      nodes.map(({ file }) => file?.lastModified ?? null),
      nodes.map(({ file }) => file?.archivedIn ?? null),
      nodes.map(({ path, file }) => (file ? (excluded.get(path) ?? null) : null)),
    ];
    const values = [...leaseValues(lease), connectionId, after, upTo, limit, byRange, ...columns, unstorable];
    const [row] = await this.database.query<Answer & Record<string, unknown>>(compare, values);
    if (!row) return 'lost';
    return { different: new Set(row.different), last: row.checked < limit ? null : row.last };
  }

  /** Checks `limit` marked nodes and removes those of this listing. Returns the last one; null at the end; `lost` when the lease is lost. */
  async remove(
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
    const values = [...leaseValues(lease), connectionId, after.isFile, after.id, limit, LEASE_SECONDS];
    const [row] = await this.database.query<Answer & Record<string, unknown>>(removeUnlisted, values);
    if (!row) return 'lost';
    return row.checked < limit || row.id === null ? null : { isFile: row.is_file === true, id: row.id };
  }
}
