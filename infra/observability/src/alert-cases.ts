// For each alert, series of a fault for which it fires, and of a usual state in which no alert does. Series are in the notation of promtool:
// `a+bxn` is a, and n times b more than before, each half a minute.
// https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/#series
import { topology } from '@kiln/dev';

export type Series = Readonly<Record<string, string>>;

export interface AlertCase {
  alert: string;
  /** Labels of the alert beside its name. */
  labels: Readonly<Record<string, string>>;
  /** When it fires. */
  at: string;
  fault: Series;
  /** The same series without the fault. */
  usual: Series;
}

/** One process of each service answers. */
export const running: Series = Object.fromEntries(
  topology.map(({ service, role }) => [`kiln_build_info{service="${service}", role="${role}"}`, '1+0x400']),
);

const page = (labels: object = {}) => ({ ...labels, severity: 'page' });
const ticket = (labels: object = {}) => ({ ...labels, severity: 'ticket' });
const of = (name: string, fault: string, usual: string) => ({ fault: { [name]: fault }, usual: { [name]: usual } });

export const alertCases: readonly AlertCase[] = [
  {
    alert: 'KilnApiErrors',
    labels: page(),
    at: '20m',
    fault: {
      'kiln_http_request_seconds_count{status="200"}': '0+300x240',
      'kiln_http_request_seconds_count{status="503"}': '0+9x240',
    },
    usual: {
      'kiln_http_request_seconds_count{status="200"}': '0+3000x240',
      'kiln_http_request_seconds_count{status="503"}': '0+2x240',
      'kiln_http_request_seconds_count{status="404"}': '0+900x240',
    },
  },
  {
    alert: 'KilnProcessingSlow',
    labels: page(),
    at: '30m',
    fault: {
      'kiln_job_completion_seconds_bucket{le="300.0"}': '0+6x240',
      kiln_job_completion_seconds_count: '0+10x240',
    },
    usual: {
      'kiln_job_completion_seconds_bucket{le="300"}': '0+96x240',
      kiln_job_completion_seconds_count: '0+100x240',
    },
  },
  {
    alert: 'KilnJobsWaiting',
    labels: page(),
    at: '15m',
    ...of('kiln_jobs_oldest_queued_seconds{service="jobs", tenant_class="live"}', '0+30x60', '200+0x60'),
  },
  {
    alert: 'KilnWorkersNotClaiming',
    labels: page({ lane: 'sandbox' }),
    at: '10m',
    fault: {
      'kiln_jobs_claiming{instance="a", lane="sandbox"}': '0+0x60',
      'kiln_jobs_claiming{instance="b", lane="sandbox"}': '0+0x60',
      'kiln_jobs_claiming{instance="a", lane="text"}': '1+0x60',
    },
    usual: {
      'kiln_jobs_claiming{instance="a", lane="sandbox"}': '0+0x60',
      'kiln_jobs_claiming{instance="b", lane="sandbox"}': '1+0x60',
      'kiln_jobs_claiming{instance="a", lane="text"}': '1+0x60',
    },
  },
  {
    alert: 'KilnWebhooksLate',
    labels: page(),
    at: '15m',
    ...of('kiln_webhook_oldest_due_seconds{service="webhooks"}', '0+30x60', '3+0x60'),
  },
  {
    alert: 'KilnWebhookAttemptsFail',
    labels: ticket(),
    at: '45m',
    fault: {
      'kiln_webhook_attempts_total{outcome="delivered"}': '0+1x120',
      'kiln_webhook_attempts_total{outcome="retry"}': '0+5x120',
    },
    usual: {
      'kiln_webhook_attempts_total{outcome="delivered"}': '0+5x120',
      'kiln_webhook_attempts_total{outcome="retry"}': '0+1x120',
    },
  },
  {
    alert: 'KilnOutboxStalled',
    labels: page({ service: 'files' }),
    at: '10m',
    ...of('kiln_outbox_oldest_seconds{service="files"}', '0+30x60', '1+0x60'),
  },
  {
    alert: 'KilnConsumerLag',
    labels: page({ consumer: 'webhooks-file-created' }),
    at: '20m',
    ...of('kiln_consumer_waiting_events{consumer="webhooks-file-created"}', '0+500x60', '400+0x60'),
  },
  {
    alert: 'KilnDeadLetters',
    labels: ticket({ consumer: 'search-file-deleted' }),
    at: '10m',
    ...of('kiln_dead_letters{consumer="search-file-deleted"}', '1+0x60', '0+0x60'),
  },
  {
    alert: 'KilnBusStorageFull',
    labels: page(),
    at: '20m',
    fault: { kiln_bus_storage_bytes: '9e9+0x60', kiln_bus_storage_limit_bytes: '1e10+0x60' },
    usual: { kiln_bus_storage_bytes: '2e9+0x60', kiln_bus_storage_limit_bytes: '1e10+0x60' },
  },
  {
    alert: 'KilnEventsStorageFull',
    labels: page(),
    at: '15m',
    fault: { kiln_events_storage_bytes: '9.5e8+0x60', kiln_events_storage_limit_bytes: '1e9+0x60' },
    usual: { kiln_events_storage_bytes: '8e8+0x60', kiln_events_storage_limit_bytes: '1e9+0x60' },
  },
  {
    alert: 'KilnSyncsLate',
    labels: ticket(),
    at: '30m',
    ...of('kiln_syncs_oldest_due_seconds{service="connections"}', '0+30x90', '60+0x90'),
  },
  {
    alert: 'KilnEngineFailures',
    labels: ticket({ engine: 'mistral' }),
    at: '25m',
    ...of('kiln_engine_failures_total{engine="mistral", reason="server_error"}', '0+3x90', '0+0x90'),
  },
  {
    alert: 'KilnBusRefusals',
    labels: page({ service: 'webhooks' }),
    at: '10m',
    ...of('kiln_bus_refusals_total{service="webhooks", role="all"}', '0+1x60', '4+0x60'),
  },
  {
    alert: 'KilnIsolationLost',
    labels: page({ level: 'process_only' }),
    at: '10m',
    fault: { 'kiln_extraction_isolation{role="worker", level="process_only"}': '1+0x60' },
    usual: { 'kiln_extraction_isolation{role="worker", level="user_namespace"}': '1+0x60' },
  },
  {
    alert: 'KilnDatabasePoolExhausted',
    labels: page({ service: 'files', role: 'api' }),
    at: '15m',
    ...of(
      'kiln_database_waiting_requests{service="files", role="api"}',
      '7+0x60',
      '0 40 0 0 12 0 0 0 3 0 0 0 0 9 0 0 0 0',
    ),
  },
  {
    alert: 'KilnServiceMissing',
    labels: page({ service: 'search' }),
    at: '15m',
    ...of('kiln_build_info{service="search", role="api"}', '1+0x10', '1+0x60'),
  },
];
