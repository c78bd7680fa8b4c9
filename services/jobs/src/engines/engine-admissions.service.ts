// The admission control of each engine of this process, over the row that it shares with other workers.
import { circuitDefaults, type EngineAdmission } from '@kiln/model-clients/admission/engine-admission';
import type { Logger } from '@kiln/platform';
import { createHash } from 'node:crypto';
import type { EngineStore } from './engine.store.js';
import { SharedAdmission } from './shared-admission.service.js';

export interface EngineIdentity {
  provider: string;
  url: string;
  /** The owner of the key: `operator`, `organization`, or the tenant of an own extractor. */
  owner: string;
}

export interface AdmissionLimits {
  concurrency: number;
  requestsPerMinute: number | null;
  patienceMs: number;
}

export class EngineAdmissions {
  constructor(
    private readonly store: EngineStore,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  admissionFor(
    { provider, url, owner }: EngineIdentity,
    { concurrency, requestsPerMinute, patienceMs }: AdmissionLimits,
  ): EngineAdmission {
    const limits = { concurrency, requestsPerMinute, patienceMs };
    const engine = createHash('sha256')
      .update(JSON.stringify([provider, url, owner]))
      .digest('base64url');
    return new SharedAdmission({ engine, store: this.store, logger: this.logger, circuit: circuitDefaults, ...limits });
  }
}
