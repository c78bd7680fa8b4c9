// Converts Prometheus' text format to OpenMetrics, which can have exemplars (https://prometheus.io/docs/specs/om/open_metrics_spec/).
import type { Exemplar } from './exemplars.js';

export const OPEN_METRICS_CONTENT_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** Whether a scraper reads OpenMetrics. */
export const acceptsOpenMetrics = (accept: string | undefined): boolean =>
  accept?.includes('application/openmetrics-text') ?? false;

/** `exemplars`: of each bucket in the text, in the order of their lines. */
export function openMetricsOf(text: string, exemplars: readonly (Exemplar | undefined)[]): string {
  let bucket = 0;
  const lines = text.split('\n').flatMap((line) => {
    // OpenMetrics requires that the name of a metric ends with its unit. OpenTelemetry writes `s` for seconds.
    if (line === '' || line.startsWith('# UNIT ')) return [];
    if (line.startsWith('#')) return [line.replace(/^# (HELP|TYPE) (\S+)_total /, '# $1 $2 ')];
    if (!BUCKET.test(line)) return [line];
    const exemplar = exemplars[bucket++];
    return [exemplar ? line + shown(exemplar) : line];
  });
  return `${[...lines, '# EOF'].join('\n')}\n`;
}

const BUCKET = /^\w+_bucket\{/;

const shown = ({ traceId, spanId, value, observedAt }: Exemplar) =>
  ` # {trace_id="${traceId}",span_id="${spanId}"} ${value} ${observedAt.toFixed(3)}`;
