// The deliveries that wait. Every worker exports the same numbers: aggregate them by max.
import { Database, Metrics, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** A longer queue is shown as this number. */
const COUNTED_DELIVERIES_MAX = 10_000;

/** So many of the webhooks that are due are examined, those that are due for the longest time first. */
const EXAMINED_WEBHOOKS_MAX = 1_000;

/**
 * Counts at most $1 deliveries, and reads the first due delivery of at most $2 webhooks. A webhook with steady deliveries stays due, so the time of
 * its row says nothing. A webhook that fails is left out of the age: its deliveries wait for the endpoint, not for Kiln.
 */
export const measureDeliveries = statement(
  'deliveries.measure',
  `select (select count(*)::int from (select from queued_deliveries limit (select $1::int)) counted) as deliveries,
     coalesce(extract(epoch from now() - (
       select min(first.due_at) from (
         select tenant_id, webhook_id from waiting_webhooks
          where due_at <= now() and not failing order by due_at limit (select $2::int)) w
       cross join lateral (
         select q.due_at from queued_deliveries q
          where q.tenant_id = w.tenant_id and q.webhook_id = w.webhook_id and q.due_at <= now() and q.lease_expires_at <= now()
          order by q.due_at limit 1) first)), 0)::float8 as seconds`,
);

@Injectable()
export class DeliveryQueueMetrics {
  constructor(metrics: Metrics, database: Database) {
    metrics.gauges(
      [
        {
          name: 'kiln_webhook_deliveries_queued',
          help: `Deliveries that wait for an attempt or are under way, counted up to ${COUNTED_DELIVERIES_MAX}`,
        },
        {
          name: 'kiln_webhook_oldest_due_seconds',
          help: 'How long the delivery that is due for the longest time has waited for a worker, without failing webhooks',
        },
      ],
      async () => {
        const [row] = await database.query<{ deliveries: number; seconds: number }>(measureDeliveries, [
          COUNTED_DELIVERIES_MAX,
          EXAMINED_WEBHOOKS_MAX,
        ]);
        const { deliveries = 0, seconds = 0 } = row ?? {};
        return {
          kiln_webhook_deliveries_queued: [{ labels: {}, value: deliveries }],
          kiln_webhook_oldest_due_seconds: [{ labels: {}, value: seconds }],
        };
      },
    );
  }
}
