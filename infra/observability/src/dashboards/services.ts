import { graph, query, quantile, rate, type Dashboard } from './dashboard.js';

export const services: Dashboard = {
  name: 'services',
  title: 'services',
  rows: [
    {
      title: 'Routes of the API',
      panels: [
        graph('Requests', 'reqps', [query(rate('kiln_http_request_seconds_count', ['route']), '{{route}}')]),
        graph('Errors (5xx)', 'reqps', [
          query(
            `${rate('kiln_http_request_seconds_count{status=~"5.."}', ['route', 'status'])} or vector(0)`,
            '{{route}} {{status}}',
          ),
        ]),
        graph('p99', 's', [query(quantile(0.99, 'kiln_http_request_seconds', ['route']), '{{route}}')]),
      ],
    },
    {
      title: 'Operations of the services',
      panels: [
        graph('Calls', 'reqps', [
          query(rate('kiln_operation_seconds_count', ['service', 'role']), '{{service}} {{role}}'),
        ]),
        graph('Errors', 'reqps', [
          query(
            `${rate('kiln_operation_seconds_count{outcome=~"UNAVAILABLE|INTERNAL_ERROR"}', ['service', 'outcome'])} or vector(0)`,
            '{{service}} {{outcome}}',
          ),
        ]),
        graph('p99', 's', [query(quantile(0.99, 'kiln_operation_seconds', ['service']), '{{service}}')]),
      ],
    },
    {
      title: 'Circuits of the gateway, and limits',
      panels: [
        graph('Open circuits', 'short', [query('max by (service) (kiln_circuit_state)', '{{service}}')]),
        graph('Refused calls', 'reqps', [
          query(`${rate('kiln_circuit_refused_total', ['service'])} or vector(0)`, '{{service}}'),
        ]),
        graph('Requests without a rate limit', 'reqps', [query(rate('kiln_rate_limit_skipped_total'), 'skipped')]),
        graph('Memory of uploads', 'bytes', [query('sum(kiln_upload_memory_bytes)', 'held')]),
      ],
    },
    {
      title: 'Processes',
      panels: [
        graph('CPU', 'short', [query(rate('process_cpu_seconds_total', ['service', 'role']), '{{service}} {{role}}')]),
        graph('Memory', 'bytes', [
          query('sum by (service, role) (process_resident_memory_bytes)', '{{service}} {{role}}'),
        ]),
        graph('Busy event loop', 'percentunit', [
          query('max by (service, role) (nodejs_eventloop_utilization)', '{{service}} {{role}}'),
        ]),
      ],
    },
  ],
};
