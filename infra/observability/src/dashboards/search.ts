import { graph, query, quantile, rate, type Dashboard } from './dashboard.js';

export const search: Dashboard = {
  name: 'search',
  title: 'search',
  rows: [
    {
      title: 'Operations of the search service',
      panels: [
        graph('Calls', 'reqps', [
          query(rate('kiln_operation_seconds_count{service="search"}', ['operation']), '{{operation}}'),
        ]),
        graph('p95', 's', [
          query(
            'histogram_quantile(0.95, sum by (le, operation) (rate(kiln_operation_seconds_bucket{service="search"}[$__rate_interval])))',
            '{{operation}}',
          ),
        ]),
        graph('Time of the step that indexes', 's', [
          query(
            'histogram_quantile(0.95, sum by (le) (rate(kiln_job_step_seconds_bucket{step="index"}[$__rate_interval])))',
            'p95',
          ),
        ]),
      ],
    },
    {
      title: 'Merges of the index',
      panels: [
        graph('Tenants that wait', 'short', [query('sum(kiln_search_merges_waiting)', 'waiting')]),
        graph('Merge steps', 'short', [
          query(`${rate('kiln_search_merge_seconds_count', ['outcome'])} or vector(0)`, '{{outcome}}'),
        ]),
        graph('p95 of a step', 's', [query(quantile(0.95, 'kiln_search_merge_seconds'), 'p95')]),
      ],
    },
    {
      title: 'Copies of vectors',
      panels: [
        graph('Copies that lack changes', 'short', [
          query('max(kiln_search_vector_copies_behind) or vector(0)', 'copies'),
        ]),
        graph('Changes that a copy lacks at most', 'short', [
          query('max(kiln_search_vector_copy_lag_changes) or vector(0)', 'changes'),
        ]),
      ],
    },
  ],
};
