// Collects the metrics of a process only when Prometheus scrapes it.
import type { Attributes } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import {
  AggregationTemporality,
  DataPointType,
  InstrumentType,
  MetricReader,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { Exemplar, Exemplars } from './exemplars.js';
import { openMetricsOf } from './open-metrics.js';

export const PROMETHEUS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A value that is not read by then is left out. Prometheus waits for 10 s. */
const READ_TIMEOUT_MS = 3_000;

export class PrometheusReader extends MetricReader {
  private readonly serializer = new PrometheusSerializer('', false, undefined, true, true);
  private readonly hidden = new Set<string>();
  private readonly exemplars = new Map<string, Exemplars>();

  /** `labels` are added to every series that has no label of that name. */
  constructor(private readonly labels: Attributes) {
    // With cumulative temporality the SDK would show a gauge's series forever once it was observed.
    const isGauge = (type: InstrumentType) => type === InstrumentType.OBSERVABLE_GAUGE;
    super({
      aggregationTemporalitySelector: (type) =>
        isGauge(type) ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
    });
  }

  /** A metric whose last value may be outdated. */
  hide(name: string, isHidden: boolean): void {
    if (isHidden) this.hidden.add(name);
    else this.hidden.delete(name);
  }

  addExemplars(name: string, exemplars: Exemplars): void {
    this.exemplars.set(name, exemplars);
  }

  /** Prometheus' text format, or OpenMetrics with exemplars. */
  async text(format: 'prometheus' | 'openmetrics'): Promise<string> {
    const { resourceMetrics } = await this.collect({ timeoutMillis: READ_TIMEOUT_MS });
    const shown = resourceMetrics.scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.filter(({ descriptor }) => !this.hidden.has(descriptor.name)),
    }));
    const scopeMetrics = shown.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map((each) => this.labelled(each)),
    }));
    const text = this.serializer.serialize({ ...resourceMetrics, scopeMetrics });
    if (format === 'prometheus') return text;
    return openMetricsOf(
      text,
      shown.flatMap(({ metrics }) => metrics.flatMap((each) => this.exemplarsOf(each))),
    );
  }

  /** Of each bucket, in the order in which the serializer writes them. */
  private exemplarsOf(metric: MetricData): (Exemplar | undefined)[] {
    if (metric.dataPointType !== DataPointType.HISTOGRAM) return [];
    const exemplars = this.exemplars.get(metric.descriptor.name);
    return metric.dataPoints.flatMap(({ attributes, value }) =>
      exemplars ? exemplars.of(attributes) : value.buckets.counts.map(() => undefined),
    );
  }

  private labelled<Data extends MetricData>(metric: Data): Data {
    const dataPoints = metric.dataPoints.map((point) => ({
      ...point,
      attributes: { ...this.labels, ...point.attributes },
    }));
    return { ...metric, dataPoints };
  }

  protected override async onForceFlush(): Promise<void> {}

  protected override async onShutdown(): Promise<void> {}
}
