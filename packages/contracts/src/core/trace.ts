// W3C trace context (https://www.w3.org/TR/trace-context/): the trace of a call, an event or a queued row.

import { z } from 'zod';

export interface TraceContext {
  /** Absent if not traced. */
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** The trace of one entry, in a call whose entries belong to several traces. */
export const traceparentSchema = z.string().optional().meta({ description: 'W3C trace context of this entry' });

/** Names of the headers on the bus, and of the attributes of events (CloudEvents' distributed tracing extension). */
export const TRACEPARENT = 'traceparent';
export const TRACESTATE = 'tracestate';
