// Admits a request in three steps: the credentials, one script in Redis (revocation and rate limit), and what the row requires.
import type { ServerResponse } from 'node:http';
import type { PlanRates } from '../limits/plan-rates.config.js';
import { limitRate } from '../limits/rate-limit.http.js';
import type { TokenBucket } from '../limits/token-bucket.adapter.js';
import type { Route } from '../routes/kinds.route.js';
import { authorize, invalidKey, type Authenticator } from './authenticator.service.js';
import type { Caller, KeyCaller, PortalCaller } from './caller.domain.js';

export interface AdmissionParts {
  authenticator: Authenticator;
  bucket: TokenBucket;
  rates: PlanRates;
}

interface AdmissionRequest {
  authorization: string | undefined;
  response: ServerResponse;
  /** Is called once the credentials are accepted, so that the log names the caller even if the request is refused later. */
  onCaller: (caller: Caller) => void;
}

export class Admission {
  constructor(private readonly parts: AdmissionParts) {}

  /** Throws UNAUTHORIZED, RATE_LIMITED or FORBIDDEN. */
  async key(request: AdmissionRequest, route: Route): Promise<KeyCaller> {
    const caller = await this.parts.authenticator.keyCaller(request.authorization);
    await this.takeToken(caller, request);
    authorize(caller, route);
    return caller;
  }

  /** Throws UNAUTHORIZED or RATE_LIMITED. */
  async portal(request: AdmissionRequest): Promise<PortalCaller> {
    const caller = await this.parts.authenticator.portalCaller(request.authorization);
    await this.takeToken(caller, request);
    return caller;
  }

  private async takeToken(caller: Caller, { authorization, response, onCaller }: AdmissionRequest): Promise<void> {
    onCaller(caller);
    const { authenticator, bucket, rates } = this.parts;
    const rate = rates[caller.plan];
    const state = await bucket.take(caller.principal, rate);
    if (!state) await authenticator.confirm(authorization);
    if (state?.revoked) throw invalidKey();
    limitRate(state, rate, response);
  }
}
