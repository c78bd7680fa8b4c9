// The syncs that wait. Every worker exports the same numbers: aggregate them by max.
import { Database, Metrics, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** More syncs are shown as this number. */
const COUNTED_SYNCS_MAX = 10_000;

/** Reads at most $1 active syncs, and the connection whose scheduled sync has been due for the longest time. */
export const measureSyncs = statement(
  'syncs.measure',
  `with active as materialized (
     select due_at, leased from syncs where status in ('pending', 'syncing') limit (select $1::int)
   )
   select (select count(*)::int from active where due_at <= now()) as syncs,
     coalesce(greatest(extract(epoch from now() - least(
       (select min(due_at) from active where due_at <= now()),
       (select next_sync_at from connections
        where next_sync_at <= now() and not paused and deleted_at is null order by next_sync_at limit 1))), 0), 0)::float8 as seconds`,
);

@Injectable()
export class SyncQueueMetrics {
  constructor(metrics: Metrics, database: Database) {
    metrics.gauges(
      [
        { name: 'kiln_syncs_due', help: `Due syncs that wait for a worker, counted up to ${COUNTED_SYNCS_MAX}` },
        {
          name: 'kiln_syncs_oldest_due_seconds',
          help: 'How long the oldest due sync or scheduled start of a sync has waited',
        },
      ],
      async () => {
        const [row] = await database.query<{ syncs: number; seconds: number }>(measureSyncs, [COUNTED_SYNCS_MAX]);
        const { syncs = 0, seconds = 0 } = row ?? {};
        return {
          kiln_syncs_due: [{ labels: {}, value: syncs }],
          kiln_syncs_oldest_due_seconds: [{ labels: {}, value: seconds }],
        };
      },
    );
  }
}
