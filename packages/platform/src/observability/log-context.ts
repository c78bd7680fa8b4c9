// The request or message that the running code works for. Log lines name it, and what the code writes or sends continues its trace,
// whether traces are exported or not.
import type { TraceContext } from '@kiln/contracts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export interface LogContext {
  readonly requestId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly trace?: TraceContext | undefined;
}

/** A function, because most requests write no line: headers are parsed for those that do. */
type Source = () => LogContext;

const sources = new AsyncLocalStorage<Source | undefined>();

export const inLogContext = <Result>(source: Source | undefined, work: () => Result): Result =>
  sources.run(source, work);

export const currentLogSource = (): Source | undefined => sources.getStore();

export const currentLogContext = (): LogContext | undefined => sources.getStore()?.();

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** A trace that is not sampled: its id connects log lines (https://www.w3.org/TR/trace-context/#traceparent-header). */
export function newTrace(): TraceContext {
  const ids = randomBytes(TRACE_ID_BYTES + SPAN_ID_BYTES).toString('hex');
  return { traceparent: `00-${ids.slice(0, 2 * TRACE_ID_BYTES)}-${ids.slice(2 * TRACE_ID_BYTES)}-00` };
}

/** Fields of a log line. Undefined ones are not written. */
export function logContextFields(): Record<string, string | undefined> {
  const context = currentLogContext();
  if (!context) return {};
  const { requestId, eventId, jobId, trace } = context;
  return { requestId, eventId, jobId, trace_id: trace?.traceparent?.split('-')[1] };
}
