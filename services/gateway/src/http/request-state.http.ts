// The state of a running request, for its headers, its log line and its metrics.
import type { TraceContext } from '@kiln/contracts';
import { newTrace, type Span } from '@kiln/platform';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../auth/caller.domain.js';
import type { HeldPlaces } from '../limits/tenant-queue.service.js';
import type { UploadHold } from '../limits/upload-memory.service.js';
import type { Route } from '../routes/kinds.route.js';

export interface RequestState {
  readonly requestId: string;
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number;
  route: Route | null;
  /** The handler of the row, with the stack before it. Null where no row fits. */
  work: Promise<void> | null;
  caller: Caller | null;
  /** The caller's trace, or a new one, which calls to services continue. With tracing on, that of the span. */
  trace: TraceContext;
  /** The span of the request. Null unless tracing is on. */
  span: Span | null;
  /** The fields and digest of a multipart body, once it has been read to its end. */
  upload: { fields: object; sha256: string } | null;
  /** The memory that a multipart body holds. */
  memory: UploadHold | null;
  /** Its places among the heavy work. A handler may release them before it ends. */
  heavyWork: HeldPlaces | null;
}

/** Logged as the status of a request whose caller disconnected before the response. It is never sent. */
export const CLIENT_CLOSED_REQUEST = 499;

export const statusOf = ({ writableFinished, statusCode }: ServerResponse): number =>
  writableFinished ? statusCode : CLIENT_CLOSED_REQUEST;

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** The trace that the caller names in `traceparent`. */
export function callersTrace({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined;
  const isState = typeof tracestate === 'string' && TRACESTATE.test(tracestate);
  return isState ? { traceparent, tracestate } : { traceparent };
}

const states = new WeakMap<IncomingMessage, RequestState>();

const CALLERS_OWN = /^[\x21-\x7e]{1,128}$/;

/** The caller's own id when it is at most 128 visible ASCII characters, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && CALLERS_OWN.test(header) ? header : uuidv7();
}

export function stateOf(request: IncomingMessage): RequestState {
  let state = states.get(request);
  if (!state) {
    state = {
      requestId: requestIdOf(request.headers['x-request-id']),
      startedAt: performance.now(),
      route: null,
      work: null,
      caller: null,
      trace: callersTrace(request.headers) ?? newTrace(),
      span: null,
      upload: null,
      memory: null,
      heavyWork: null,
    };
    states.set(request, state);
  }
  return state;
}
