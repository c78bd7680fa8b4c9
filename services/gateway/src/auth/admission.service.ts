// Admits a request, in three steps: the credentials; one script in Redis (revoked? a token left?); what the row asks for.
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
  /** Called once the credentials are accepted, even if the request is refused later: the log names the caller. */
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
