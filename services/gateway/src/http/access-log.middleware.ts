// Writes one log line and one observation per request, when it is over. Labels are names of the route table: never a path, never
// an id.
import { inLogContext, withSpan, type Logger, type Metrics } from '@kiln/platform';
import type { RequestStep } from './request-steps.middleware.js';
import { stateOf, statusOf } from './request-state.http.js';

const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600];

export function accessLog(logger: Logger, metrics: Metrics): RequestStep {
  const seconds = metrics.histogram('kiln_http_request_seconds', {
    help: 'Time to answer a request, by route, method and status',
    buckets: BUCKETS_SECONDS,
  });
  // The fields of this line are fixed and none is secret. A search for secrets in them took a fifteenth of a request's time.
  const lines = logger.child({}, { redact: [] });
  return (request, response) => {
    const state = stateOf(request);
    response.setHeader('X-Request-Id', state.requestId);
    response.once('close', () => {
      const elapsedMs = performance.now() - state.startedAt;
      const status = statusOf(response);
      const method = state.route?.method ?? 'other';
      const fields = {
        method: request.method,
        route: state.route?.path ?? null,
        status,
        ms: Math.round(elapsedMs * 10) / 10,
        requestId: state.requestId,
        principal: state.caller?.principal ?? null,
        tenantId: state.caller?.tenantId ?? null,
      };
      const write = () => {
        seconds.record(elapsedMs / 1000, { route: state.route?.name ?? 'unmatched', method, status });
        lines.info(fields, 'request');
      };
      inLogContext(
        () => state,
        () => (state.span ? withSpan(state.span, write) : write()),
      );
    });
  };
}
