// Who gets in: credentials, then one question to Redis (revoked? a token left?), then the row's scopes. In this order.
import type { Scope } from '@kiln/contracts';
import type { ServerResponse } from 'node:http';
import type { PlanRates } from '../limits/plan-rates.js';
import { limitRate } from '../limits/rate-limit.js';
import type { TokenBucket } from '../limits/token-bucket.js';
import { authorize, invalidKey, type Authenticator } from './authenticator.js';
import type { Caller, KeyCaller, PortalCaller } from './caller.js';

export interface AdmissionParts {
  authenticator: Authenticator;
  bucket: TokenBucket;
  rates: PlanRates;
}

/** `known` is told who asks as soon as that is clear, whatever comes of it: the log wants to know. */
interface Knock {
  authorization: string | undefined;
  response: ServerResponse;
  known: (caller: Caller) => void;
}

export class Admission {
  constructor(private readonly parts: AdmissionParts) {}

  /** Throws UNAUTHORIZED, RATE_LIMITED or FORBIDDEN. */
  async key(knock: Knock, scopes: readonly Scope[]): Promise<KeyCaller> {
    const caller = await this.parts.authenticator.keyCaller(knock.authorization);
    await this.takeToken(caller, knock);
    authorize(caller, scopes);
    return caller;
  }

  /** Throws UNAUTHORIZED or RATE_LIMITED. */
  async portal(knock: Knock): Promise<PortalCaller> {
    const caller = await this.parts.authenticator.portalCaller(knock.authorization);
    await this.takeToken(caller, knock);
    return caller;
  }

  private async takeToken(caller: Caller, { authorization, response, known }: Knock): Promise<void> {
    known(caller);
    const { authenticator, bucket, rates } = this.parts;
    const rate = rates[caller.plan];
    const state = await bucket.take(caller.principal, rate);
    if (!state) await authenticator.confirm(authorization);
    if (state?.revoked) throw invalidKey();
    limitRate(state, rate, response);
  }
}
