// What a sync does with the nodes that it has removed, after a complete listing: objects that were moved keep their node, and the removal of the
// others is announced. A batch and its events are one transaction, which does nothing once the lease is lost.
import { appendEvents, Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { RemovedNodeEntity } from '../nodes/removed-node.entity.js';
import { movedNodesEvents, removedNodesEvents, type MovedNode } from './node-events.domain.js';
import { LEASE_SECONDS, leaseValues, type SyncLease } from './sync.store.js';

const HELD = `s.tenant_id = $1 and s.id = $2 and s.fence = $3 and s.status = 'syncing' for update of s`;
/** An object that does not return for so long gets another node. */
const KEPT_DAYS = 90;

/**
 * Set-based and fenced. Of the `$6` files after `$5`, those that were added since `$8` are compared with the nodes whose removal is not announced: the
 * same ETag and size mean that the object was moved. Only an ETag in the form of S3's digests says something about the bytes. Equal objects are paired in any
 * order. A node of an upload, or one that was selected for processing, has its own file. So may a node of an earlier sync, if a caller has processed
 * it: its id is returned as replaced if files are to be deleted. A sync counts only what it has added and removed itself.
 */
const findMoves = statement(
  'removed_nodes.find_moves',
  `with held as materialized (
     select s.created_at, c.on_delete = 'delete' as is_deletion from syncs s join connections c on c.tenant_id = $1 and c.id = $4 where ${HELD}
   ), checked as materialized (
     select n.* from held cross join lateral (
       select id, etag, size_bytes, created_at >= $8::timestamptz and selected_version is null as is_new,
         created_at >= held.created_at as is_own
       from nodes
       where tenant_id = $1 and connection_id = $4 and is_file and id > $5
       order by is_file, id limit $6
     ) n
   ), added as materialized (
     select id, etag, size_bytes, is_own, row_number() over (partition by etag, size_bytes order by id) as number
     from checked c where is_new and etag ~ '^[0-9a-fA-F]{32}(-[0-9]+)?$'
       and not exists (select 1 from node_uploads u where u.tenant_id = $1 and u.id = c.id)
   ), gone as materialized (
     select r.*, row_number() over (partition by r.etag, r.size_bytes order by r.id) as number
     from (select distinct etag, size_bytes from added) a
       join removed_nodes r on r.tenant_id = $1 and r.connection_id = $4 and not r.announced and r.etag = a.etag and r.size_bytes = a.size_bytes
   ), moved as (
     update nodes n set id = g.id, selected_version = g.selected_version, created_at = g.created_at
     from held, added a join gone g using (etag, size_bytes, number)
     where n.tenant_id = $1 and n.id = a.id
     returning n.id, n.path, n.name, a.id as former_id, a.is_own, g.removed_at >= held.created_at as is_own_removal
   ), forgotten as (
     delete from removed_nodes r using moved m where r.tenant_id = $1 and r.id = m.id
   ), counted as (
     update syncs set due_at = now() + make_interval(secs => $7), files_moved = files_moved + m.files, files_added = files_added - m.added,
       files_deleted = files_deleted - m.removed
     from held, (
       select count(*) as files, count(*) filter (where is_own) as added, count(*) filter (where is_own_removal) as removed from moved
     ) m where tenant_id = $1 and id = $2
   )
   select (select count(*)::int from checked) as checked, (select id from checked order by id desc limit 1) as last, now() as moved_at,
     (select coalesce(jsonb_agg(moved), '[]') from moved) as moved,
     array(select former_id from moved where is_deletion and not is_own) as replaced
   from held`,
);

/** Set-based and fenced. `ids` are those of a batch of `$5` nodes; their files are to be deleted if `is_deletion`. */
const announce = statement(
  'removed_nodes.announce',
  `with held as materialized (
     select c.on_delete = 'delete' as is_deletion from syncs s join connections c on c.tenant_id = $1 and c.id = $4 where ${HELD}
   ), batch as materialized (
     select r.id from held cross join lateral (
       select id from removed_nodes where tenant_id = $1 and connection_id = $4 and not announced limit $5
     ) r
   ), kept as (
     update removed_nodes r set announced = true from held
     where not held.is_deletion and r.tenant_id = $1 and r.id = any (array(select id from batch))
   ), deleted as (
     delete from removed_nodes r using held
     where held.is_deletion and r.tenant_id = $1 and r.id = any (array(select id from batch))
   ), expired as (
     delete from removed_nodes r using held
     where r.tenant_id = $1 and r.id = any (array(
       select id from removed_nodes where tenant_id = $1 and connection_id = $4 and announced
         and removed_at < now() - interval '${KEPT_DAYS} days' order by removed_at limit $5))
   ), renewed as (
     update syncs set due_at = now() + make_interval(secs => $6) from held where tenant_id = $1 and id = $2
   )
   select is_deletion, array(select id from batch) as ids from held`,
);

@Injectable()
export class RemovedNodeStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(RemovedNodeEntity) private readonly removed: Repository<RemovedNodeEntity>,
  ) {}

  /** Whether the connection has removed nodes that may have been moved. */
  hasNew({ tenantId }: SyncLease, connectionId: string): Promise<boolean> {
    return this.removed.existsBy({ tenant_id: tenantId, connection_id: connectionId, announced: false });
  }

  /** Checks `limit` files after a node: those added since a time. Returns the last one; null at the end; `lost` when the lease is lost. */
  async findMoves(
    lease: SyncLease,
    connectionId: string,
    { after, since }: { after: string; since: Date },
    limit: number,
  ): Promise<{ id: string } | null | 'lost'> {
    interface Answer {
      checked: number;
      last: string | null;
      moved_at: Date;
      moved: MovedNode[];
      replaced: string[];
    }
    const place = { tenantId: lease.tenantId, connectionId };
    const values = [...leaseValues(lease), connectionId, after, limit, LEASE_SECONDS, since];
    return this.database.transaction(async (transaction) => {
      const [row] = await transaction.query<Answer & Record<string, unknown>>(findMoves, values);
      if (!row) return 'lost';
      await appendEvents(transaction, [
        ...movedNodesEvents(place, row.moved, row.moved_at),
        ...removedNodesEvents(place, row.replaced),
      ]);
      return row.checked < limit || row.last === null ? null : { id: row.last };
    });
  }

  /** Announces the removal of at most `limit` nodes. True while there may be more; `lost` when the lease is lost. */
  async announce(lease: SyncLease, connectionId: string, limit: number): Promise<boolean | 'lost'> {
    const values = [...leaseValues(lease), connectionId, limit, LEASE_SECONDS];
    return this.database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ is_deletion: boolean; ids: string[] }>(announce, values);
      if (!row) return 'lost';
      if (row.is_deletion)
        await appendEvents(transaction, removedNodesEvents({ tenantId: lease.tenantId, connectionId }, row.ids));
      return row.ids.length === limit;
    });
  }
}
