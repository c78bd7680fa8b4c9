// Opens one span per request, in the caller's trace if it names one. The span has the name of the row, never of the path, which
// may hold a secret.
import type { TraceContext } from '@kiln/contracts';
import { SpanKind, SpanStatusCode, startSpan, withSpan } from '@kiln/platform';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
} from '@opentelemetry/semantic-conventions';
import type { RequestHandler } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { stateOf } from './request-state.http.js';

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** Probes arrive all the time. */
const PROBES = new Set<string | undefined>(['/livez', '/readyz']);

/** The trace that the caller names in `traceparent`. */
export function callersTrace({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext {
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return {};
  const isState = typeof tracestate === 'string' && TRACESTATE.test(tracestate);
  return isState ? { traceparent, tracestate } : { traceparent };
}

export const traceRequests: RequestHandler = (request, response, next) => {
  if (PROBES.has(request.url)) return next();
  const state = stateOf(request);
  const attributes = { [ATTR_HTTP_REQUEST_METHOD]: request.method };
  const span = startSpan(request.method, { kind: SpanKind.SERVER, parent: callersTrace(request.headers), attributes });
  state.span = span;
  response.once('close', () => {
    const { route } = state;
    if (route) span.setAttribute(ATTR_HTTP_ROUTE, route.path).updateName(`${request.method} ${route.path}`);
    span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, response.statusCode);
    if (response.statusCode >= 500 || !response.writableFinished) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  withSpan(span, next);
};
