// Adds each request to the request log when both its connection and its handler have ended. The handler may end later than the
// connection.
import { fingerprintOf } from '../keys/api-key.domain.js';
import { credentialsOf } from '../auth/authorization-header.domain.js';
import type { RequestStep } from '../http/request-steps.middleware.js';
import { CLIENT_CLOSED_REQUEST, stateOf, statusOf, type RequestState } from '../http/request-state.http.js';
import type { RedactedPath } from '../http/redacted-path.http.js';
import type { FinishedRequest, RequestLog } from './request-log.service.js';

const UNAUTHORIZED = 401;

export function logRequests(log: Pick<RequestLog, 'add'>, shown: RedactedPath): RequestStep {
  return (request, response) => {
    const add = (status: number) => {
      const state = stateOf(request);
      const requester = requesterOf(state, status, request.headers.authorization);
      if (!requester) return;
      log.add({
        requester,
        request_id: state.requestId,
        method: request.method ?? '',
        path: shown(request.url),
        status,
        duration_ms: Math.round((performance.now() - state.startedAt) * 10) / 10,
      });
    };
    response.once('close', () => {
      const { work } = stateOf(request);
      const status = statusOf(response);
      const addIt = () => add(status);
      if (status === CLIENT_CLOSED_REQUEST && work) void work.then(addIt, addIt);
      else addIt();
    });
  };
}

function requesterOf(
  { caller }: RequestState,
  status: number,
  authorization: string | undefined,
): FinishedRequest['requester'] | null {
  if (caller?.authType === 'portal_token') return null; // Only requests with keys and bearer tokens are logged.
  if (caller) return caller;
  // The key of a caller that left before an answer may have been refused. The log finds out whether it is known.
  if (status !== UNAUTHORIZED && status !== CLIENT_CLOSED_REQUEST) return null;
  const credentials = credentialsOf(authorization);
  const refused = credentials?.scheme === 'apikey' ? fingerprintOf(credentials.value) : null;
  return refused && { keyHash: refused.hash };
}
