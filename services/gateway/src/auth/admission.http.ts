// Admits a request in three steps: the credentials, one script in Redis (revocation and rate limit), and what the row requires.
import { CodedError } from '@kiln/contracts';
import type { TenantPauses } from '@kiln/platform';
import type { Request, Response } from 'express';
import { stateOf } from '../http/request-state.http.js';
import type { PlanRates, Rate } from '../limits/plan-rates.config.js';
import type { BucketState, TokenBucket } from '../limits/token-bucket.adapter.js';
import type { Route } from '../routes/kinds.route.js';
import { authorize, invalidKey, type Authenticator } from './authenticator.service.js';
import { credentialsOf } from './authorization-header.domain.js';
import type { Caller } from './caller.domain.js';

interface AdmissionParts {
  authenticator: Authenticator;
  bucket: TokenBucket;
  rates: PlanRates;
  tenantPauses: TenantPauses;
}

/** A request that was admitted, with its path and query validated. */
export interface AdmittedRequest {
  route: Route;
  request: Request;
  response: Response;
  caller: Caller | null;
  /** Its Idempotency-Key. */
  key: string | null;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
}

export class Admission {
  constructor(private readonly parts: AdmissionParts) {}

  /**
   * The stacks: `public` needs no credentials, `portal` a portal token, `key` an API key or bearer token with the row's scopes, `shared`
   * either. Throws UNAUTHORIZED, RATE_LIMITED or FORBIDDEN.
   */
  async admit(route: Route, request: Request, response: Response): Promise<Caller | null> {
    if (route.stack === 'public') return null;
    const { authenticator, bucket, rates, tenantPauses } = this.parts;
    const { authorization } = request.headers;
    const isPortal =
      route.stack === 'portal' || (route.stack === 'shared' && credentialsOf(authorization)?.scheme === 'portaltoken');
    const caller = isPortal
      ? await authenticator.portalCaller(authorization)
      : await authenticator.keyCaller(authorization);
    // The log names the caller even if the request is refused later.
    stateOf(request).caller = caller;
    const rate = rates[caller.plan];
    const state = await bucket.take(caller.principal, rate);
    if (!state) await authenticator.confirm(authorization);
    if (state?.revoked) throw invalidKey();
    limitRate(state, rate, response);
    if (caller.authType !== 'portal_token') authorize(caller, route);
    tenantPauses.record(caller.tenantId);
    return caller;
  }
}

/**
 * Sets the RateLimit headers, and throws RATE_LIMITED when the bucket is empty. `state` is null when Redis did not respond; the bucket then
 * counts as full.
 */
function limitRate(state: BucketState | null, { burst }: Rate, response: Response): void {
  response.setHeader('RateLimit-Limit', burst);
  response.setHeader('RateLimit-Remaining', state?.remaining ?? burst);
  response.setHeader('RateLimit-Reset', state?.resetSeconds ?? 0);
  if (!state || state.allowed) return;
  const { retryAfterSeconds } = state;
  throw new CodedError('RATE_LIMITED', `Too many requests. Retry after ${retryAfterSeconds} s.`, { retryAfterSeconds });
}
