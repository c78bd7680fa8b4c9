// Spans of work that is done once for several callers. For one caller, it is part of the caller's span. For several, it is a span
// of its own: a child of the first caller's span with links to the others, because a span has one parent.
import { context, ROOT_CONTEXT, trace, type Context, type Span } from '@opentelemetry/api';
import { inStartedSpan, isTracing, startSpan, withSpan } from './tracing.js';

/** The span that a call comes from. Undefined while tracing is off. */
export type Origin = Context | undefined;

export const currentOrigin = (): Origin => (isTracing() ? context.active() : undefined);

export async function inGroup<Result>(origins: readonly Origin[], work: () => Promise<Result>): Promise<Result> {
  if (!isTracing()) return work();
  const spans = spansOf(origins);
  const [first, ...others] = spans;
  if (!first) return context.with(origins[0] ?? ROOT_CONTEXT, work);
  if (others.length === 0) return withSpan(first, work);
  const links = others.map((span) => ({ context: span.spanContext() }));
  const attributes = { 'kiln.group.calls': origins.length };
  const span = withSpan(first, () => startSpan('grouped calls', { links, attributes }));
  return inStartedSpan(span, work);
}

/** Distinct spans that are sampled. */
function spansOf(origins: readonly Origin[]): Span[] {
  const spans = origins.map((origin) => origin && trace.getSpan(origin));
  const kept = spans.filter((span): span is Span => span?.isRecording() === true);
  return [...new Map(kept.map((span) => [span.spanContext().spanId, span])).values()];
}
