import { graph, query, type Dashboard } from './dashboard.js';

export const syncs: Dashboard = {
  name: 'syncs',
  title: 'syncs',
  rows: [
    {
      title: 'Syncs of connections',
      panels: [
        graph('Oldest due sync', 's', [query('max(kiln_syncs_oldest_due_seconds)', 'oldest')], { limit: 900 }),
        graph('Due syncs', 'short', [query('max(kiln_syncs_due)', 'due'), query('sum(kiln_syncs_running)', 'running')]),
        graph('Claims by outcome, 15 minutes', 'short', [
          query('sum by (outcome) (increase(kiln_syncs_ended_total[15m])) or vector(0)', '{{outcome}}'),
        ]),
      ],
    },
    {
      title: 'Notifications of buckets',
      panels: [
        graph('Polls by outcome, 15 minutes', 'short', [
          query('sum by (outcome) (increase(kiln_queue_polls_total[15m])) or vector(0)', '{{outcome}}'),
        ]),
        graph('Messages by result, 15 minutes', 'short', [
          query('sum by (result) (increase(kiln_notifications_total[15m])) or vector(0)', '{{result}}'),
        ]),
      ],
    },
  ],
};
