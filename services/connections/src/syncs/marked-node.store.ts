// Nodes that an inventory does not contain, while the bucket is asked for their objects. Each statement is fenced, and does nothing once the
// lease is lost.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { leaseValues, type SyncLease } from './sync.store.js';

const HELD = `select started_at from syncs where tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing'`;

/** Of the files after `$5` that this listing has marked, `$6`. */
const files = statement(
  'marked_nodes.files',
  `select n.id, n.path from (${HELD}) held cross join lateral (
     select id, path from nodes
     where tenant_id = $1 and connection_id = $4 and unlisted_since is not null and (is_file, id) > (true, $5::uuid)
       and unlisted_since = held.started_at and seen_at < held.started_at
     order by is_file, id limit $6
   ) n order by n.id`,
);
const keep = statement(
  'marked_nodes.keep',
  `with held as materialized (
     ${HELD} for update
   ), kept as (
     update nodes n set unlisted_since = null, seen_at = greatest(now(), held.started_at) from held
     where n.tenant_id = $1 and n.id = any (array(
       select id from nodes where tenant_id = $1 and connection_id = $4 and path = any ($5::text[])))
   )
   select 1 from held`,
);
/** Set-based. Of the `$6` marked folders after `$5`, keeps those that contain a file: `0` is the character after the slash. */
const keepFolders = statement(
  'marked_nodes.keep_folders',
  `with held as materialized (
     ${HELD} for update
   ), checked as materialized (
     select n.* from held cross join lateral (
       select id, path from nodes
       where tenant_id = $1 and connection_id = $4 and unlisted_since is not null and not is_file and id > $5
       order by is_file, id limit $6
     ) n
   ), filled as materialized (
     select c.id from checked c cross join lateral (
       select 1 from nodes
       where tenant_id = $1 and connection_id = $4 and is_file and path > c.path and path < left(c.path, -1) || '0'
       order by path limit 1
     ) f
   ), kept as (
     update nodes n set unlisted_since = null, seen_at = greatest(now(), held.started_at) from held
     where n.tenant_id = $1 and n.id = any (array(select id from filled))
   )
   select (select count(*)::int from checked) as checked, (select id from checked order by id desc limit 1) as last from held`,
);

@Injectable()
export class MarkedNodeStore {
  constructor(private readonly database: Database) {}

  /** The first files after a node, in the order of their ids, that this listing has marked. None once the lease is lost. */
  files(lease: SyncLease, connectionId: string, after: string, limit: number): Promise<{ id: string; path: string }[]> {
    return this.database.query(files, [...leaseValues(lease), connectionId, after, limit]);
  }

  /** Removes the marks of nodes. False once the lease is lost. */
  async keep(lease: SyncLease, connectionId: string, paths: readonly string[]): Promise<boolean> {
    return (await this.database.query(keep, [...leaseValues(lease), connectionId, paths])).length > 0;
  }

  /** Checks `limit` marked folders, and removes the marks of those that contain a file. Returns the last one; null at the end. */
  async keepFolders(
    lease: SyncLease,
    connectionId: string,
    after: string,
    limit: number,
  ): Promise<{ id: string } | null | 'lost'> {
    const values = [...leaseValues(lease), connectionId, after, limit];
    const [row] = await this.database.query<{ checked: number; last: string | null }>(keepFolders, values);
    if (!row) return 'lost';
    return row.checked < limit || row.last === null ? null : { id: row.last };
  }
}
