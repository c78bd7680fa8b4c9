import { graph, query, quantile, rate, type Dashboard } from './dashboard.js';

export const webhooks: Dashboard = {
  name: 'webhooks',
  title: 'webhooks',
  rows: [
    {
      title: 'Queue',
      panels: [
        graph('Queued deliveries', 'short', [query('max(kiln_webhook_deliveries_queued)', 'queued')]),
        graph('Oldest due delivery', 's', [query('max(kiln_webhook_oldest_due_seconds)', 'oldest')], { limit: 120 }),
        graph('Attempts under way', 'short', [query('sum(kiln_webhook_deliveries_running)', 'running')]),
      ],
    },
    {
      title: 'Attempts',
      panels: [
        graph('By outcome', 'reqps', [query(rate('kiln_webhook_attempts_total', ['outcome']), '{{outcome}}')]),
        graph('Time of an attempt', 's', [
          query(quantile(0.5, 'kiln_webhook_attempt_seconds'), 'p50'),
          query(quantile(0.95, 'kiln_webhook_attempt_seconds'), 'p95'),
        ]),
        graph('Webhooks that were switched off', 'short', [
          query('sum by (reason) (increase(kiln_webhooks_disabled_total[1h])) or vector(0)', '{{reason}}'),
        ]),
      ],
    },
  ],
};
