// What handlers may use.
import type { Logger, RpcClient } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';

export interface Readiness {
  ready: boolean;
  state: string;
  checks: Record<string, string>;
}

export interface GatewayServices {
  rpc: Pick<RpcClient, 'call'>;
  store: ObjectStore;
  logger: Logger;
  /** A larger upload is refused. */
  uploadBytesMax: number;
  readiness: () => Promise<Readiness>;
  /** The OpenAPI document, ready to send. */
  openApi: () => unknown;
}
