// The context of the calls to services that a request makes.
import { modeOf, type CallContext } from '@kiln/contracts';
import { currentTrace } from '@kiln/platform';
import type { Request } from 'express';
import type { Caller } from '../auth/caller.domain.js';
import type { Route } from '../routes/kinds.route.js';
import { stateOf } from './request-state.http.js';

const TIMEOUT_DEFAULT_MS = 10_000;

export const timeoutOf = ({ timeoutMs }: Pick<Route, 'timeoutMs'>): number => timeoutMs ?? TIMEOUT_DEFAULT_MS;

export function contextOf(
  request: Request,
  caller: Pick<Caller, 'principal' | 'tenantId'>,
  timeoutMs: number,
): CallContext {
  return {
    requestId: stateOf(request).requestId,
    tenantId: caller.tenantId,
    mode: modeOf(caller.tenantId),
    principal: caller.principal,
    deadlineAt: Date.now() + timeoutMs,
    ...(currentTrace() ?? stateOf(request).trace),
  };
}
