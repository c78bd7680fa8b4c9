// Nodes that a listing does not contain: they are marked, and removed after the complete listing. Each statement is fenced, and does nothing
// once the lease is lost.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { keepRemoved } from '../nodes/removed-nodes.statement.js';
import { LEASE_SECONDS, leaseValues, type SyncLease } from './sync.store.js';

const HELD = `select started_at from syncs where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing'`;

/**
 * Of the `$7` nodes after `$5` and up to `$6`, or to the last one, marks those whose path is not in `$8`, and that were not seen since the
 * listing began. Does nothing unless `$9` says whether the listing is one by ranges: in the other mode, other nodes are unlisted. It is planned
 * for its values, because Postgres looks up a constant list by hash.
 */
const markUnlisted = statement(
  'unlisted_nodes.mark',
  `with held as materialized (
     ${HELD} and coalesce(connection_version < 0, false) = $9::boolean for update
   ), checked as materialized (
     select n.*, held.started_at from held cross join lateral (
       select id, path, seen_at, unlisted_since from nodes
       where tenant_id = $1 and connection_id = $4 and path > $5
         and path <= coalesce($6, (select path from nodes where tenant_id = $1 and connection_id = $4 order by path desc limit 1))
       order by path limit $7
     ) n
   ), marked as (
     update nodes n set unlisted_since = held.started_at from held
     where n.tenant_id = $1 and n.seen_at < held.started_at and n.id = any (array(
       select id from checked
       where seen_at < started_at and unlisted_since is distinct from started_at and path <> all ($8::text[])
     ))
   )
   select (select count(*)::int from checked) as checked, (select path from checked order by path desc limit 1) as last from held`,
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
   * Checks `limit` nodes, and marks those that are not among the `listed` paths. Returns the last path; null at the end; `lost` when the lease
   * is lost, or the listing has another mode.
   */
  async mark(
    { lease, connectionId, byRange }: { lease: SyncLease; connectionId: string; byRange: boolean },
    { after, upTo }: PathRange,
    listed: readonly string[],
    limit: number,
  ): Promise<{ last: string } | null | 'lost'> {
    const values = [...leaseValues(lease), connectionId, after, upTo, limit, listed, byRange];
    const [row] = await this.database.query<{ checked: number; last: string | null }>(markUnlisted, values);
    if (!row) return 'lost';
    return row.checked < limit || row.last === null ? null : { last: row.last };
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
