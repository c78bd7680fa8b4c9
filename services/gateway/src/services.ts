// What handlers may use.
import type { Logger, RpcClient } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import type { Revocations } from './auth/revocations.js';
import type { ManagedKeysStore } from './keys/managed-keys.store.js';
import type { PortalTokenStore } from './portal/portal-token.store.js';

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
  logger: Logger;
  /** A larger upload is refused. */
  uploadBytesMax: number;
  readiness: () => Promise<Readiness>;
  /** The OpenAPI document, ready to send. */
  openApi: () => unknown;
}
