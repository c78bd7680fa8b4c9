// The unit of a metric, as OpenTelemetry's conventions write it (https://opentelemetry.io/docs/specs/semconv/general/metrics/#units).

/** By the suffix of the name, which Prometheus' conventions require. A count has no unit. */
export function unitOf(name: string): string {
  const suffix = /_(seconds|bytes|utilization)(?:_max|_total)?$/.exec(name)?.[1];
  if (suffix === 'seconds') return 's';
  if (suffix === 'bytes') return 'By';
  return suffix === 'utilization' ? '1' : '';
}
