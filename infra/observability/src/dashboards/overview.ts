import { graph, query, quantile, rate, stat, type Dashboard } from './dashboard.js';

export const overview: Dashboard = {
  name: 'overview',
  title: 'overview',
  rows: [
    {
      title: 'Objectives (docs/observability.md)',
      panels: [
        stat('API errors, 1 h', 'percentunit', [query('kiln:api_errors:ratio_rate1h', 'of requests')], {
          limit: 0.001,
        }),
        stat('Jobs over 5 minutes, 1 h', 'percentunit', [query('kiln:job_completions_late:ratio_rate1h', 'of jobs')], {
          limit: 0.05,
        }),
        stat('Oldest due job', 's', [query('max(kiln_jobs_oldest_queued_seconds)')], { limit: 300 }),
        stat('Oldest due delivery', 's', [query('max(kiln_webhook_oldest_due_seconds)')], { limit: 120 }),
        stat('Oldest event in an outbox', 's', [query('max(kiln_outbox_oldest_seconds)')], { limit: 60 }),
        stat('Oldest due sync', 's', [query('max(kiln_syncs_oldest_due_seconds)')], { limit: 900 }),
        stat('Dead letters', 'short', [query('sum(max by (consumer) (kiln_dead_letters))')], { limit: 1 }),
        stat('Waiting events of the slowest consumer', 'short', [query('max(kiln_consumer_waiting_events)')], {
          limit: 1_000,
        }),
      ],
    },
    {
      title: 'Load',
      panels: [
        graph('Requests', 'reqps', [query(rate('kiln_http_request_seconds_count', ['status']), '{{status}}')]),
        graph('Completed jobs per second', 'short', [query(rate('kiln_job_completion_seconds_count'), 'completed')]),
        graph('Uploaded bytes', 'Bps', [query(rate('kiln_upload_bytes_total', ['via']), '{{via}}')]),
      ],
    },
    {
      title: 'Latency',
      panels: [
        graph('API', 's', [
          query(quantile(0.5, 'kiln_http_request_seconds'), 'p50'),
          query(quantile(0.99, 'kiln_http_request_seconds'), 'p99'),
        ]),
        graph(
          'From request to completed job',
          's',
          [
            query(quantile(0.5, 'kiln_job_completion_seconds'), 'p50'),
            query(quantile(0.95, 'kiln_job_completion_seconds'), 'p95'),
          ],
          { limit: 300 },
        ),
      ],
    },
    {
      title: 'Releases and isolation',
      panels: [
        graph('Processes', 'short', [
          query('count by (service, role, version) (kiln_build_info)', '{{service}} {{role}} {{version}}'),
        ]),
        graph('Readers of documents by isolation', 'short', [
          query('count by (level) (kiln_extraction_isolation)', '{{level}}'),
        ]),
      ],
    },
  ],
};
