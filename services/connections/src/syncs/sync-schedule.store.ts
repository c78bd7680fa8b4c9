// The schedules of connections. A due schedule moves to its next time and starts its sync in one transaction, under the lock on the row of
// the connection, so that no two processes start the same one.
import { Database, nextDueInMs, nextDueStatement, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { startScheduledSync } from './sync-start.statement.js';

const DUE = 'next_sync_at is not null and not paused and deleted_at is null';
/** Each failed sync since the last completed one doubles the interval, up to this power of two. */
const DOUBLINGS_MAX = 8;
/** Doubled intervals are at most a day, unless the interval is longer. */
const BACKOFF_MAX_MINUTES = 1_440;

/**
 * A claim of at most $1 schedules, those that have been due for the longest time, without those that another process has locked. Times that
 * passed while no process ran are not made up for. The jitter is up to a tenth of the interval.
 */
const claimDue = statement(
  'sync_schedules.claim_due',
  `update connections c
   set next_sync_at = now() + make_interval(secs => 60 * (1 + random() / 10) * greatest(c.sync_interval_minutes,
     least(c.sync_interval_minutes * 2 ^ failed.syncs, ${BACKOFF_MAX_MINUTES})))
   from (select tenant_id, id from connections where ${DUE} and next_sync_at <= now()
         order by next_sync_at limit $1 for update skip locked) due
     cross join lateral (
       select count(*) as syncs from (
         select 1 from syncs s
         where s.tenant_id = due.tenant_id and s.connection_id = due.id and s.status = 'failed' and s.id > coalesce((
           select d.id from syncs d where d.tenant_id = due.tenant_id and d.connection_id = due.id and d.status = 'completed'
           order by d.id desc limit 1), '00000000-0000-0000-0000-000000000000')
         order by s.id desc limit ${DOUBLINGS_MAX}) recent
     ) failed
   where c.tenant_id = due.tenant_id and c.id = due.id
   returning c.tenant_id, c.id`,
);
const nextDue = nextDueStatement('sync_schedules.next_due', `select min(next_sync_at) from connections where ${DUE}`);

@Injectable()
export class SyncScheduleStore {
  constructor(private readonly database: Database) {}

  /** Starts the syncs of at most `limit` connections that are due. A connection whose sync still runs gets no other. */
  async startDue(limit: number): Promise<{ due: number; started: number }> {
    return this.database.transaction(async (transaction) => {
      const due = await transaction.query<{ tenant_id: string; id: string }>(claimDue, [limit]);
      let started = 0;
      for (const { tenant_id, id } of due) {
        started += (await transaction.query(startScheduledSync, [tenant_id, uuidv7(), id, false])).length;
      }
      return { due: due.length, started };
    });
  }

  /** Milliseconds until a scheduled sync is due. Null when none is scheduled. */
  nextDueInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextDue);
  }
}
