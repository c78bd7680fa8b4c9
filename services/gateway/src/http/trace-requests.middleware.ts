// Opens one span per request, in the caller's trace if it names one. The span has the name of the row, never of the path, which
// may hold a secret.
import { SpanKind, SpanStatusCode, startSpan, traceOfSpan, withSpan } from '@kiln/platform';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
} from '@opentelemetry/semantic-conventions';
import type { RequestHandler } from 'express';
import { callersTrace, stateOf } from './request-state.http.js';

/** Probes arrive all the time. */
const PROBES = new Set<string | undefined>(['/livez', '/readyz']);

export const traceRequests: RequestHandler = (request, response, next) => {
  if (PROBES.has(request.url)) return next();
  const state = stateOf(request);
  const attributes = { [ATTR_HTTP_REQUEST_METHOD]: request.method };
  const span = startSpan(request.method, {
    kind: SpanKind.SERVER,
    parent: callersTrace(request.headers) ?? null,
    attributes,
  });
  state.span = span;
  state.trace = traceOfSpan(span) ?? state.trace;
  response.once('close', () => {
    const { route } = state;
    if (route) span.setAttribute(ATTR_HTTP_ROUTE, route.path).updateName(`${request.method} ${route.path}`);
    span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, response.statusCode);
    if (response.statusCode >= 500 || !response.writableFinished) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  withSpan(span, next);
};
