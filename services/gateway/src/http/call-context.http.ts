// The context of the calls to services that a request makes.
import { modeOf, type CallContext } from '@kiln/contracts';
import { currentTrace } from '@kiln/platform';
import type { AdmittedRequest } from '../auth/admission.http.js';
import type { Caller } from '../auth/caller.domain.js';
import { stateOf } from './request-state.http.js';

export const TIMEOUT_DEFAULT_MS = 10_000;

/** The deadline is that of the row, from now on. */
export function contextOf(
  { request, route }: Pick<AdmittedRequest, 'request' | 'route'>,
  caller: Pick<Caller, 'principal' | 'tenantId'>,
): CallContext {
  return {
    requestId: stateOf(request).requestId,
    tenantId: caller.tenantId,
    mode: modeOf(caller.tenantId),
    principal: caller.principal,
    deadlineAt: Date.now() + (route.timeoutMs ?? TIMEOUT_DEFAULT_MS),
    ...(currentTrace() ?? stateOf(request).trace),
  };
}
