// Collects the metrics of a process only when Prometheus scrapes it.
import type { Attributes } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { AggregationTemporality, InstrumentType, MetricReader, type MetricData } from '@opentelemetry/sdk-metrics';

export const PROMETHEUS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A value that is not read by then is left out. Prometheus waits for 10 s. */
const READ_TIMEOUT_MS = 3_000;

export class PrometheusReader extends MetricReader {
  private readonly serializer = new PrometheusSerializer('', false, undefined, true, true);
  private readonly hidden = new Set<string>();

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

  async text(): Promise<string> {
    const { resourceMetrics } = await this.collect({ timeoutMillis: READ_TIMEOUT_MS });
    const scopeMetrics = resourceMetrics.scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.filter(({ descriptor }) => !this.hidden.has(descriptor.name)).map((each) => this.labelled(each)),
    }));
    return this.serializer.serialize({ ...resourceMetrics, scopeMetrics });
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
