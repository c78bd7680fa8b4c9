// The two hops of an event: from an outbox into the stream, and from the stream to a consumer. Each hop is a span in the trace that
// created the event; an event created outside a trace has none. Many events share a publish or a transaction; each still has its
// own spans.
import type { CloudEvent, TraceContext } from '@kiln/contracts';
import { endFailed, isTracing, linkTo, SpanKind, startSpan, traceOfSpan, type Span } from '../observability/tracing.js';
import type { ClaimedEvent } from './relay.statements.js';

export interface EventSpans {
  /** The parent of each event's next hop, in the order of the events. */
  readonly traces: readonly (TraceContext | undefined)[];
  /** The span of the shared work. */
  readonly first: Span | undefined;
  readonly end: (error?: unknown) => void;
}

interface Hop {
  id: string;
  type: string;
  from: TraceContext | undefined;
}

const NONE: EventSpans = { traces: [], first: undefined, end: () => {} };

/** Starts the spans of rows that are about to be published. */
export function publishSpans(rows: readonly ClaimedEvent[]): EventSpans {
  if (!isTracing()) return NONE;
  const hops = rows.map(({ id, type, envelope }) => ({ id, type, from: traceIn(envelope) }));
  return spansOf('publish', SpanKind.PRODUCER, hops);
}

/** Starts the spans of events that are about to be handled together. */
export function processSpans(events: readonly (CloudEvent & { from?: TraceContext | undefined })[]): EventSpans {
  if (!isTracing()) return NONE;
  const hops = events.map(({ id, type, traceparent, tracestate, from }) => ({
    id,
    type,
    from: from ?? { traceparent, tracestate },
  }));
  return spansOf('process', SpanKind.CONSUMER, hops);
}

function traceIn(envelope: string): TraceContext | undefined {
  try {
    return JSON.parse(envelope) as TraceContext;
  } catch {
    return undefined; // The publisher reports an invalid row.
  }
}

/** The other spans link to the first, which contains the shared work. */
function spansOf(operation: 'publish' | 'process', kind: SpanKind, hops: readonly Hop[]): EventSpans {
  let first: Span | undefined;
  const spans = hops.map(({ id, type, from }) => {
    if (!from?.traceparent) return undefined;
    const attributes = {
      'messaging.system': 'nats',
      'messaging.operation.type': operation === 'publish' ? 'send' : 'process',
      'messaging.destination.name': type,
      'messaging.message.id': id,
    };
    const link = first && linkTo(traceOfSpan(first) ?? {});
    const span = startSpan(`${operation} ${type}`, { kind, parent: from, attributes, links: link ? [link] : [] });
    if (span.isRecording()) first ??= span;
    return span;
  });
  return {
    traces: spans.map((span) => span && traceOfSpan(span)),
    first,
    end: (error) => spans.forEach((span) => (error === undefined ? span?.end() : span && endFailed(span, error))),
  };
}
