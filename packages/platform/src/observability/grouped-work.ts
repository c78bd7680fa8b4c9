// Spans of work that is done once for several callers. For one caller, it is part of the caller's span. For several, it is a span
// of its own: a child of the first caller's span with links to the others, because a span has one parent.
import { context, ROOT_CONTEXT, trace, type Context, type Span } from '@opentelemetry/api';
import { currentLogSource, inLogContext } from './log-context.js';
import { inStartedSpan, isTracing, startSpan, withSpan } from './tracing.js';

/** The request or message that a call comes from, and its span. */
export interface Origin {
  source: ReturnType<typeof currentLogSource>;
  /** Undefined while tracing is off. */
  span: Context | undefined;
}

export const currentOrigin = (): Origin => ({
  source: currentLogSource(),
  span: isTracing() ? context.active() : undefined,
});

/** Lines about the work of several callers name none of them. */
export function inGroup<Result>(origins: readonly Origin[], work: () => Promise<Result>): Promise<Result> {
  const source = origins.length === 1 ? origins[0]?.source : undefined;
  return inLogContext(source, () =>
    isTracing()
      ? inGroupSpan(
          origins.map(({ span }) => span),
          work,
        )
      : work(),
  );
}

async function inGroupSpan<Result>(
  origins: readonly (Context | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
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
function spansOf(origins: readonly (Context | undefined)[]): Span[] {
  const spans = origins.map((origin) => origin && trace.getSpan(origin));
  const kept = spans.filter((span): span is Span => span?.isRecording() === true);
  return [...new Map(kept.map((span) => [span.spanContext().spanId, span])).values()];
}
