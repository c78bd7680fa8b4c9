import { graph, query, quantile, rate, type Dashboard } from './dashboard.js';

export const queue: Dashboard = {
  name: 'queue',
  title: 'queue of jobs',
  rows: [
    {
      title: 'Waiting',
      panels: [
        graph('Due jobs', 'short', [query('max by (tenant_class) (kiln_jobs_queued)', '{{tenant_class}}')]),
        graph(
          'Oldest due job',
          's',
          [query('max by (tenant_class) (kiln_jobs_oldest_queued_seconds)', '{{tenant_class}}')],
          {
            limit: 300,
          },
        ),
        graph('Workers that claim, by lane', 'short', [query('sum by (lane) (kiln_jobs_claiming)', '{{lane}}')]),
      ],
    },
    {
      title: 'Running',
      panels: [
        graph('Jobs that workers hold', 'short', [
          query('max by (tenant_class, provider) (kiln_jobs_processing)', '{{tenant_class}} {{provider}}'),
        ]),
        graph('Ended runs per second', 'short', [
          query(
            'sum by (outcome) (max by (tenant_class, provider, outcome) (rate(kiln_job_runs_total[$__rate_interval])))',
            '{{outcome}}',
          ),
        ]),
        graph('Runs in workers', 'short', [query('sum(kiln_jobs_running)', 'running')]),
      ],
    },
    {
      title: 'Steps',
      panels: [
        graph('p95 by step', 's', [query(quantile(0.95, 'kiln_job_step_seconds', ['step']), '{{step}}')]),
        graph('Steps per second', 'short', [
          query(rate('kiln_job_step_seconds_count', ['step', 'outcome']), '{{step}} {{outcome}}'),
        ]),
        graph('From request to completion', 's', [
          query(quantile(0.5, 'kiln_job_completion_seconds'), 'p50'),
          query(quantile(0.95, 'kiln_job_completion_seconds'), 'p95'),
        ]),
      ],
    },
  ],
};
