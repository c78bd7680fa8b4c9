// Adds each request to the request log when it has ended.
import { fingerprintOf } from '../keys/api-key.js';
import { credentialsOf } from '../auth/authorization-header.js';
import type { RequestStep } from '../http/every-request.js';
import { stateOf, type RequestState } from '../http/request-state.js';
import type { ShownPath } from '../http/shown-path.js';
import type { FinishedRequest, RequestLog } from './request-log.js';

const UNAUTHORIZED = 401;

export function logRequests(log: Pick<RequestLog, 'add'>, shown: ShownPath): RequestStep {
  return (request, response) => {
    response.once('close', () => {
      const state = stateOf(request);
      const requester = requesterOf(state, response.statusCode, request.headers.authorization);
      if (!requester || !response.writableFinished) return;
      log.add({
        requester,
        request_id: state.requestId,
        method: request.method ?? '',
        path: shown(request.url),
        status: response.statusCode,
        duration_ms: Math.round((performance.now() - state.startedAt) * 10) / 10,
      });
    });
  };
}

function requesterOf(
  { caller }: RequestState,
  status: number,
  authorization: string | undefined,
): FinishedRequest['requester'] | null {
  if (caller?.authType === 'portal_token') return null; // Only requests with keys and bearer tokens are logged.
  if (caller) return { tenantId: caller.tenantId, authType: caller.authType, keyName: caller.keyName };
  if (status !== UNAUTHORIZED || authorization === undefined) return null;
  const credentials = credentialsOf(authorization);
  const refused = credentials?.scheme === 'apikey' ? fingerprintOf(credentials.value) : null;
  return refused && { keyHash: refused.hash };
}
