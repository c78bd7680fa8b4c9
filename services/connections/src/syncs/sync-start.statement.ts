// Starts a sync, where a failed one ended or at the beginning of the bucket.
import { statement, type Statement } from '@kiln/platform';
import { SYNC_COLUMNS } from './sync.rows.js';

/**
 * Locks the connection, so that it is not deleted before the commit. Continues the newest sync of the connection if that ended because the
 * bucket failed for too long, at most a day ago, since providers keep their page tokens for a day, and with the same credentials. It takes
 * over `started_at` too: the nodes that the failed sync has listed count as seen, and those that it has marked as unlisted stay so.
 */
const startStatement = (name: string, onConflict: string): Statement =>
  statement(
    name,
    `insert into syncs (tenant_id, id, connection_id, force, connection_version, expected_count, position, next_cursor, ranges, inventory, started_at,
       nodes_before, nodes_added, nodes_listed, synced_count, skipped, files_excluded)
     select c.tenant_id, $2, c.id, $4, coalesce(failed.connection_version, c.version),
       (select s.synced_count from syncs s where s.tenant_id = $1 and s.connection_id = $3 and s.status = 'completed'
        order by s.id desc limit 1),
       failed.position, failed.next_cursor, failed.ranges, failed.inventory, failed.started_at, failed.nodes_before, coalesce(failed.nodes_added, 0),
       coalesce(failed.nodes_listed, 0), coalesce(failed.synced_count, 0), coalesce(failed.skipped, 0),
       coalesce(failed.files_excluded, 0)
     from (select tenant_id, id, version from connections
           where tenant_id = $1 and id = $3 and deleted_at is null for no key update) c
       left join lateral (
         select * from syncs s where s.tenant_id = $1 and s.connection_id = $3 order by s.id desc limit 1
       ) failed on failed.is_resumable and abs(failed.connection_version) = c.version
         and failed.completed_at > now() - interval '1 day'
     ${onConflict}
     returning ${SYNC_COLUMNS}`,
  );

/** Fails while another sync of the connection runs. */
export const startSync = startStatement('syncs.start', 'on conflict (tenant_id, id) do nothing');

/** Does nothing while another sync of the connection runs. */
export const startScheduledSync = startStatement('syncs.start_scheduled', 'on conflict do nothing');
