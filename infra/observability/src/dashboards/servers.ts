import { graph, query, rate, type Dashboard } from './dashboard.js';

export const servers: Dashboard = {
  name: 'servers',
  title: 'Postgres and NATS, as Kiln sees them',
  rows: [
    {
      title: 'Postgres',
      panels: [
        graph('Used connections', 'percentunit', [
          query(
            'max by (service, role) (kiln_database_connections{state="used"} / ignoring (state) kiln_database_connections_max)',
            '{{service}} {{role}}',
          ),
        ]),
        graph('Requests that wait for a connection', 'short', [
          query('max by (service, role) (kiln_database_waiting_requests)', '{{service}} {{role}}'),
        ]),
        graph('Open connections', 'short', [query('sum by (state) (kiln_database_connections)', '{{state}}')]),
      ],
    },
    {
      title: 'Outboxes',
      panels: [
        graph('Waiting events', 'short', [query('max by (service) (kiln_outbox_waiting_events)', '{{service}}')]),
        graph('Oldest event', 's', [query('max by (service) (kiln_outbox_oldest_seconds)', '{{service}}')], {
          limit: 60,
        }),
        graph('Published events', 'short', [query(rate('kiln_events_published_total', ['service']), '{{service}}')]),
        graph('Failed rounds', 'short', [query(rate('kiln_outbox_relay_failures_total', ['service']), '{{service}}')]),
      ],
    },
    {
      title: 'Consumers',
      panels: [
        graph('Waiting events', 'short', [query('max by (consumer) (kiln_consumer_waiting_events)', '{{consumer}}')], {
          limit: 1_000,
        }),
        graph('Unacknowledged events', 'short', [
          query('max by (consumer) (kiln_consumer_unacknowledged_events)', '{{consumer}}'),
        ]),
        graph('Handled events', 'short', [
          query(rate('kiln_events_consumed_total', ['service', 'outcome']), '{{service}} {{outcome}}'),
        ]),
        graph('Dead letters', 'short', [query('max by (consumer) (kiln_dead_letters)', '{{consumer}}')], { limit: 1 }),
      ],
    },
    {
      title: 'Storage of the streams',
      panels: [
        graph('Storage', 'bytes', [query('max(kiln_bus_storage_bytes)', 'used')]),
        graph('Stream of events', 'bytes', [
          query('max(kiln_events_storage_bytes)', 'used'),
          query('max(kiln_events_storage_limit_bytes)', 'limit'),
        ]),
      ],
    },
  ],
};
