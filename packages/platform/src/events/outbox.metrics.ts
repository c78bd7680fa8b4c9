// The events that wait in the outbox of a service. Every process of the service exports the same numbers: aggregate them by max.
import type { Metrics } from '../observability/metrics.js';
import type { Queryable } from '../postgres/transaction.js';
import { statement } from '../postgres/statement.js';

/** A longer backlog is shown as this number. */
const COUNTED_EVENTS_MAX = 10_000;

/** Reads at most $1 rows of the index of unpublished events. */
export const measureOutbox = statement(
  'platform.outbox_measure',
  `select count(*)::int as events, coalesce(greatest(extract(epoch from now() - min(created_at)), 0), 0)::float8 as seconds
   from (select created_at from outbox where published_at is null order by sequence limit (select $1::int)) waiting`,
);

export function observeOutbox(metrics: Pick<Metrics, 'gauges'>, database: Pick<Queryable, 'query'>): void {
  metrics.gauges(
    [
      {
        name: 'kiln_outbox_waiting_events',
        help: `Events in the outbox that are not published yet, counted up to ${COUNTED_EVENTS_MAX}`,
      },
      { name: 'kiln_outbox_oldest_seconds', help: 'Age of the oldest event that is not published yet' },
    ],
    async () => {
      const [row] = await database.query<{ events: number; seconds: number }>(measureOutbox, [COUNTED_EVENTS_MAX]);
      const { events = 0, seconds = 0 } = row ?? {};
      return {
        kiln_outbox_waiting_events: [{ labels: {}, value: events }],
        kiln_outbox_oldest_seconds: [{ labels: {}, value: seconds }],
      };
    },
  );
}
