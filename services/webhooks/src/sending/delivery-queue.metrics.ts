// The deliveries that wait. Every worker exports the same numbers: aggregate them by max.
import { Database, Metrics, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** A longer queue is shown as this number. */
const COUNTED_DELIVERIES_MAX = 10_000;

/**
 * Reads at most $1 deliveries, and the first of the webhooks that are due. A webhook that fails is left out of the age: its deliveries wait for
 * the endpoint, not for Kiln.
 */
export const measureDeliveries = statement(
  'deliveries.measure',
  `select (select count(*)::int from (select from queued_deliveries limit (select $1::int)) counted) as deliveries,
     coalesce(greatest(extract(epoch from now() - (
       select due_at from waiting_webhooks where due_at <= now() and not failing order by due_at limit 1)), 0), 0)::float8 as seconds`,
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
          help: 'How long the webhook that is due for the longest time has waited for a worker, without failing webhooks',
        },
      ],
      async () => {
        const [row] = await database.query<{ deliveries: number; seconds: number }>(measureDeliveries, [
          COUNTED_DELIVERIES_MAX,
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
