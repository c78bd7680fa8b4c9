// The last observation of each bucket of a histogram that was made in a sampled trace. OpenTelemetry's SDK for Node collects none.
import { trace, TraceFlags, type Attributes } from '@opentelemetry/api';
import { isTracing } from './tracing.js';

export interface Exemplar {
  traceId: string;
  spanId: string;
  value: number;
  /** Seconds since 1970. */
  observedAt: number;
}

export class Exemplars {
  /** By series, then by the position of the bucket. */
  private readonly series = new Map<string, (Exemplar | undefined)[]>();

  constructor(private readonly boundaries: readonly number[]) {}

  /** Keeps the observation if the active span is sampled. */
  note(value: number, attributes: Attributes = {}): void {
    if (!isTracing()) return;
    const span = trace.getActiveSpan()?.spanContext();
    if (!span || (span.traceFlags & TraceFlags.SAMPLED) === 0) return;
    const key = keyOf(attributes);
    let buckets = this.series.get(key);
    if (!buckets) this.series.set(key, (buckets = []));
    const found = this.boundaries.findIndex((boundary) => value <= boundary);
    const bucket = found < 0 ? this.boundaries.length : found;
    buckets[bucket] = { traceId: span.traceId, spanId: span.spanId, value, observedAt: Date.now() / 1_000 };
  }

  /** For each bucket of the series, the last one of infinity included. */
  of(attributes: Attributes): (Exemplar | undefined)[] {
    const buckets = this.series.get(keyOf(attributes));
    return Array.from({ length: this.boundaries.length + 1 }, (_, bucket) => buckets?.[bucket]);
  }
}

const keyOf = (attributes: Attributes) =>
  JSON.stringify(Object.entries(attributes).toSorted(([left], [right]) => (left < right ? -1 : 1)));
