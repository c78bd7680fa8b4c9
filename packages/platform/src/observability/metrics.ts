// The metrics of one process, recorded through OpenTelemetry's API and exported to Prometheus. Attribute values are bounded:
// operations and event types, never tenants or ids.
import type { Attributes, BatchObservableResult, Counter, Histogram, ObservableGauge } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { Exemplars } from './exemplars.js';
import { unitOf } from './metric-units.js';
import { observeProcess } from './process-metrics.js';
import { PrometheusReader } from './prometheus-reader.js';

export type { Counter, Histogram } from '@opentelemetry/api';

const LATENCY_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

export interface Sample<Label extends string> {
  labels: Partial<Record<Label, string>>;
  value: number;
}

export interface Sampled<Label extends string> {
  help: string;
  labelNames: Label[];
  /** The current series. Empty if the value is unknown. */
  read: () => Promise<Sample<Label>[]>;
}

export interface Described<Name extends string> {
  name: Name;
  help: string;
}

/** The current series by gauge. A gauge that is left out has none. */
export type Samples<Name extends string> = Partial<Record<Name, readonly Sample<string>[]>>;

export interface Buckets {
  help: string;
  /** Upper bounds, ascending. */
  buckets: number[];
}

type Labels<Label extends string> = Attributes & Partial<Record<Label, string>>;

export class Metrics {
  private readonly reader: PrometheusReader;
  private readonly provider: MeterProvider;

  /** Duration of an operation in seconds. */
  readonly operationSeconds: Histogram;
  readonly eventsPublished: Counter;
  readonly eventsConsumed: Counter<Labels<'type' | 'outcome'>>;
  readonly outboxFailures: Counter;
  readonly outboxQuarantined: Counter;
  readonly busRefusals: Counter;

  constructor(service: string, role: string) {
    this.reader = new PrometheusReader({ service, role });
    this.provider = new MeterProvider({ resource: resourceFromAttributes({}), readers: [this.reader] });
    this.operationSeconds = this.histogram('kiln_operation_seconds', {
      help: 'Duration of an operation in seconds, by outcome (ok or error code)',
      buckets: LATENCY_BUCKETS_SECONDS,
    });
    this.eventsPublished = this.counter('kiln_events_published_total', 'Events published from the outbox');
    this.eventsConsumed = this.counter(
      'kiln_events_consumed_total',
      'Events handled, by type and outcome (handled, duplicate, failed, dead)',
      ['type', 'outcome'],
    );
    this.outboxFailures = this.counter(
      'kiln_outbox_relay_failures_total',
      'Relay rounds that failed; the events stay in the outbox',
    );
    this.outboxQuarantined = this.counter(
      'kiln_outbox_set_aside_total',
      'Outbox rows that could not be sent and became dead letters',
    );
    this.busRefusals = this.counter(
      'kiln_bus_refusals_total',
      'Messages and subscriptions that the broker refused to the login of the process',
    );
    observeProcess(this.meter);
  }

  /** The response of `/metrics`. */
  text(format: 'prometheus' | 'openmetrics' = 'prometheus'): Promise<string> {
    return this.reader.text(format);
  }

  /** A counter without labels is shown from the start, as 0. */
  counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Labels<Label>> {
    const counter = this.meter.createCounter<Labels<Label>>(name, { description: help, unit: unitOf(name) });
    if (labelNames.length === 0) counter.add(0);
    return counter;
  }

  histogram(name: string, { help, buckets }: Buckets): Histogram {
    const advice = { explicitBucketBoundaries: buckets };
    const histogram = this.meter.createHistogram(name, { description: help, unit: unitOf(name), advice });
    const exemplars = new Exemplars(buckets);
    this.reader.addExemplars(name, exemplars);
    return {
      record: (value, attributes) => {
        histogram.record(value, attributes);
        exemplars.note(value, attributes);
      },
    };
  }

  /** A gauge that is read at scrape time. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge = this.meter.createObservableGauge(name, { description: help, unit: unitOf(name) });
    gauge.addCallback(async (result) => result.observe(await read()));
  }

  /** A gauge whose series are all read at scrape time. A series that is no longer returned disappears. */
  sampledGauge<Label extends string>(name: string, { help, read }: Sampled<Label>): void {
    const gauge = this.meter.createObservableGauge<Labels<Label>>(name, { description: help, unit: unitOf(name) });
    gauge.addCallback(async (result) => {
      for (const { labels, value } of await read()) result.observe(value, labels);
    });
  }

  /** Gauges that one read fills at scrape time. If it fails or takes too long, they are not shown. */
  gauges<Name extends string>(described: readonly Described<Name>[], read: () => Promise<Samples<Name>>): void {
    const gauges = new Map<Name, ObservableGauge>(
      described.map(({ name, help }) => [
        name,
        this.meter.createObservableGauge(name, { description: help, unit: unitOf(name) }),
      ]),
    );
    const observe = async (result: BatchObservableResult) => {
      const samples = await read();
      for (const [name, gauge] of gauges)
        for (const { labels, value } of samples[name] ?? []) result.observe(gauge, value, labels);
    };
    this.meter.addBatchObservableCallback(observe, [...gauges.values()]);
  }

  /** A counter that is maintained elsewhere and read at scrape time. Not shown while its value is unknown. */
  sampledCounter<Label extends string>(name: string, { help, read }: Sampled<Label>): void {
    const counter = this.meter.createObservableCounter<Labels<Label>>(name, { description: help, unit: unitOf(name) });
    counter.addCallback(async (result) => {
      const samples = await read();
      this.reader.hide(name, samples.length === 0);
      for (const { labels, value } of samples) result.observe(value, labels);
    });
  }

  private get meter() {
    return this.provider.getMeter('kiln');
  }
}
