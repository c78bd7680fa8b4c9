// Prometheus metrics of one process. Labels are bounded: operations and event types, never tenants or ids.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const LATENCY_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

/** Each sample wakes the process. At the library's default of 10 ms, samples were most of what an idle process did. */
const EVENT_LOOP_SAMPLE_MS = 500;

export interface Sample<Label extends string> {
  labels: Partial<Record<Label, string>>;
  value: number;
}

export interface Sampled<Label extends string> {
  help: string;
  labelNames: Label[];
  /** The series there are; none when nothing is known. */
  read: () => Promise<Sample<Label>[]>;
}

export class Metrics {
  readonly registry = new Registry();

  readonly operationSeconds = new Histogram({
    name: 'kiln_operation_seconds',
    help: 'Time to answer an operation, by outcome (ok or error code)',
    labelNames: ['operation', 'outcome'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [this.registry],
  });

  readonly eventsPublished = new Counter({
    name: 'kiln_events_published_total',
    help: 'Events that the broker has accepted from the outbox',
    registers: [this.registry],
  });

  readonly eventsConsumed = new Counter({
    name: 'kiln_events_consumed_total',
    help: 'Events handled, by type and outcome (handled, duplicate, failed, dead)',
    labelNames: ['type', 'outcome'],
    registers: [this.registry],
  });

  readonly outboxFailures = new Counter({
    name: 'kiln_outbox_relay_failures_total',
    help: 'Relay rounds that failed; the events stay in the outbox',
    registers: [this.registry],
  });

  readonly outboxSetAside = new Counter({
    name: 'kiln_outbox_set_aside_total',
    help: 'Rows of the outbox that could not be sent and became dead letters',
    registers: [this.registry],
  });

  constructor(service: string, role: string) {
    this.registry.setDefaultLabels({ service, role });
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  }

  /** A gauge read at scrape time. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        gauge.set(await read());
      },
    });
  }

  /** A gauge whose series are all read at scrape time; one that is no longer read is gone. */
  sampledGauge<Label extends string>(name: string, { help, labelNames, read }: Sampled<Label>): void {
    const gauge = new Gauge<Label>({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        const samples = await read();
        gauge.reset();
        for (const { labels, value } of samples) gauge.set(labels, value);
      },
    });
  }

  /** A counter that is kept elsewhere, and read at scrape time. */
  sampledCounter<Label extends string>(name: string, { help, labelNames, read }: Sampled<Label>): void {
    const counter = new Counter<Label>({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        const samples = await read();
        counter.reset();
        for (const { labels, value } of samples) counter.inc(labels, value);
      },
    });
  }

  counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
