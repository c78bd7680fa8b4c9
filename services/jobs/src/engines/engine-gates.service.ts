// One gate for each engine of this process, over the row that it shares with other workers.
import { circuitDefaults, type EngineGate } from '@kiln/extraction/remote/engine-gate';
import type { Logger } from '@kiln/platform';
import { createHash } from 'node:crypto';
import type { EngineStore } from './engine.store.js';
import { SharedGate } from './shared-gate.service.js';

export interface EngineIdentity {
  provider: string;
  url: string;
  /** Whose keys it is asked with: `operator`, `organization`, or the tenant of an own extractor. */
  owner: string;
}

export interface GateLimits {
  concurrency: number;
  requestsPerMinute: number | null;
  patienceMs: number;
}

export class EngineGates {
  constructor(
    private readonly store: EngineStore,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  gateFor(
    { provider, url, owner }: EngineIdentity,
    { concurrency, requestsPerMinute, patienceMs }: GateLimits,
  ): EngineGate {
    const limits = { concurrency, requestsPerMinute, patienceMs };
    const engine = createHash('sha256')
      .update(JSON.stringify([provider, url, owner]))
      .digest('base64url');
    return new SharedGate({ engine, store: this.store, logger: this.logger, circuit: circuitDefaults, ...limits });
  }
}
