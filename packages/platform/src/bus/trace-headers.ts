// W3C trace context in the headers of a message.
import { TRACEPARENT, TRACESTATE, type TraceContext } from '@kiln/contracts';
import type { MsgHdrs } from '@nats-io/transport-node';

export function setTrace(headers: MsgHdrs, { traceparent, tracestate }: TraceContext): void {
  if (!traceparent) return;
  headers.set(TRACEPARENT, traceparent);
  if (tracestate) headers.set(TRACESTATE, tracestate);
}

/** Undefined if the message is outside a trace. */
export function traceOf(headers: MsgHdrs | undefined): TraceContext | undefined {
  const traceparent = headers?.get(TRACEPARENT);
  if (!headers || !traceparent) return undefined;
  const tracestate = headers.get(TRACESTATE);
  return tracestate ? { traceparent, tracestate } : { traceparent };
}
