// What handlers may use.
import type { Logger, RpcClient } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import type { Revocations } from './auth/revocations.js';
import type { ManagedKeysStore } from './keys/managed-keys.store.js';
import type { PortalTokenStore } from './portal/portal-token.store.js';
import type { PlanPages } from './quota/plan-pages.js';
import type { Quota } from './quota/quota.js';
import type { JobAnnouncer } from './upload/job-announcer.js';

export interface Readiness {
  ready: boolean;
  state: string;
  checks: Record<string, string>;
}

export interface GatewayServices {
  rpc: Pick<RpcClient, 'call' | 'callForText'>;
  store: ObjectStore;
  managedKeys: ManagedKeysStore;
  revocations: Revocations;
  portalTokens: PortalTokenStore;
  quota: Pick<Quota, 'admit' | 'delegate'>;
  announcer: Pick<JobAnnouncer, 'announce'>;
  planPages: PlanPages;
  logger: Logger;
  /** A larger upload is refused. */
  uploadBytesMax: number;
  readiness: () => Promise<Readiness>;
  /** The OpenAPI document, ready to send. */
  openApi: () => unknown;
}
