import { graph, query, quantile, rate, type Dashboard } from './dashboard.js';

export const engines: Dashboard = {
  name: 'engines',
  title: 'engines and providers',
  rows: [
    {
      title: 'Steps by engine',
      panels: [
        graph('Steps per second', 'short', [
          query(rate('kiln_job_step_seconds_count', ['engine', 'outcome']), '{{engine}} {{outcome}}'),
        ]),
        graph('p95', 's', [query(quantile(0.95, 'kiln_job_step_seconds', ['engine']), '{{engine}}')]),
        graph('Seconds of work per second', 'short', [
          query(rate('kiln_job_step_seconds_sum', ['engine']), '{{engine}}'),
        ]),
      ],
    },
    {
      title: 'Failed requests',
      panels: [
        graph('By engine and reason', 'reqps', [
          query(`${rate('kiln_engine_failures_total', ['engine', 'reason'])} or vector(0)`, '{{engine}} {{reason}}'),
        ]),
      ],
    },
  ],
};
