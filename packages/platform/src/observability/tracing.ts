// Spans through OpenTelemetry's API. While tracing is off, each call costs one check of a boolean, so callers check `isTracing` or
// `isTraced` before they prepare attributes. Names and attributes are bounded and contain no data: no SQL values, no paths, no
// error messages.
import { CodedError, type TraceContext } from '@kiln/contracts';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
} from '@opentelemetry/api';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import { currentLogContext, inLogContext, logContextFields } from './log-context.js';

export { SpanKind, SpanStatusCode, type Span } from '@opentelemetry/api';

let on = false;

/** Called after the SDK is registered. */
export function enableTracing(): void {
  on = true;
}

/** Whether this process creates spans. */
export const isTracing = (): boolean => on;

/** Whether the active span is sampled. */
export const isTraced = (): boolean => on && trace.getActiveSpan()?.isRecording() === true;

/**
 * The trace context to pass on: that of the active span, or, while tracing is off, that of the request or message. Undefined without one.
 */
export function currentTrace(): TraceContext | undefined {
  return on ? carrierOf(context.active()) : currentLogContext()?.trace;
}

export const traceOfSpan = (span: Span): TraceContext | undefined => carrierOf(trace.setSpan(ROOT_CONTEXT, span));

function carrierOf(from: Context): TraceContext | undefined {
  const carrier: { traceparent?: string; tracestate?: string } = {};
  propagation.inject(from, carrier);
  return carrier.traceparent === undefined ? undefined : carrier;
}

export interface SpanStart {
  kind?: SpanKind;
  attributes?: Attributes;
  /** The parent. Absent: the active span. Null: none, which starts a new trace. */
  parent?: TraceContext | null | undefined;
  links?: Link[];
}

export function startSpan(name: string, { parent, ...options }: SpanStart = {}): Span {
  return trace.getTracer('kiln').startSpan(name, options, parentOf(parent));
}

function parentOf(parent: TraceContext | null | undefined): Context {
  if (parent === undefined) return context.active();
  return parent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, parent);
}

/** Null if the text does not name a span. */
export function linkTo(other: TraceContext): Link | null {
  const spanContext = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, other));
  return spanContext ? { context: spanContext } : null;
}

/** Runs `work` with this span as the active one. */
export function withSpan<Result>(span: Span, work: () => Result): Result {
  return context.with(trace.setSpan(context.active(), span), work);
}

/** Binds `work` to the span that is active now. For callbacks that streams call from outside of it. */
export function forThisSpan<Work extends (...given: never[]) => unknown>(work: Work): Work {
  return on ? context.bind(context.active(), work) : work;
}

/** Runs `work` outside of any request and span. For shared work that one of several callers happens to start. */
export function untraced<Result>(work: () => Result): Result {
  return inLogContext(undefined, () => (on ? context.with(ROOT_CONTEXT, work) : work()));
}

/** Runs `work` in a new span. While tracing is off, only runs it. */
export async function inSpan<Result>(name: string, start: SpanStart, work: () => Promise<Result>): Promise<Result> {
  return on ? inStartedSpan(startSpan(name, start), work) : work();
}

/** Runs `work` in a span, and ends the span with it. */
export async function inStartedSpan<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await withSpan(span, work);
    span.end();
    return result;
  } catch (error) {
    endFailed(span, error);
    throw error;
  }
}

/** Ends a span with the type of an error, never its message. A caller's mistake does not set the error status. */
export function endFailed(span: Span, error: unknown): void {
  fail(span, error);
  span.end();
}

/** Marks the active span as failed when no error is thrown. */
export function noteFailure(error: unknown): void {
  const span = on ? trace.getActiveSpan() : undefined;
  if (span) fail(span, error);
}

function fail(span: Span, error: unknown): void {
  span.setAttribute(ATTR_ERROR_TYPE, kindOf(error));
  if (!(error instanceof CodedError) || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

function kindOf(error: unknown): string {
  if (error instanceof CodedError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

/** Fields of a log line: the request or message it belongs to, and the active span. */
export function contextFields(): Record<string, string | undefined> {
  const spanContext = on ? trace.getActiveSpan()?.spanContext() : undefined;
  const fields = logContextFields();
  return spanContext ? { ...fields, trace_id: spanContext.traceId, span_id: spanContext.spanId } : fields;
}
