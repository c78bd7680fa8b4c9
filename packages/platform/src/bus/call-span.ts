import type { CodedError, Operation } from '@kiln/contracts';
import type { Msg } from '@nats-io/transport-node';
import { endFailed, isTracing, SpanKind, startSpan, withSpan } from '../observability/tracing.js';
import { traceOf } from './trace-headers.js';

/** Attributes of a call's spans, for client and server (https://opentelemetry.io/docs/specs/semconv/rpc/rpc-spans/). */
export const aboutCall = ({ subject }: Operation) => ({ 'rpc.system.name': 'nats', 'rpc.method': subject });

/**
 * Runs `answer`, which returns the error of its reply, in a span of the call's trace. A call outside a trace does not start one, because
 * workers poll all the time.
 */
export function inCallSpan(
  operation: Operation,
  message: Msg,
  answer: () => Promise<CodedError | null>,
): Promise<unknown> {
  const parent = isTracing() ? traceOf(message.headers) : undefined;
  if (!parent) return answer();
  const span = startSpan(operation.subject, { kind: SpanKind.SERVER, parent, attributes: aboutCall(operation) });
  return withSpan(span, async () => {
    const failure = await answer();
    if (failure) endFailed(span, failure);
    else span.end();
  });
}
