// What handlers use.
import type { Logger, RpcClient } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import type { ExtractionCallbacks } from './extractions/extraction-callbacks.js';
import type { Revocations } from './keys/revocations.js';
import type { ApiKeyStore } from './keys/api-key.store.js';
import type { UploadMemory } from './limits/upload-memory.js';
import type { PortalTokenStore } from './portal/portal-token.store.js';
import type { PlanPages } from './quota/plan-pages.js';
import type { Quota } from './quota/quota.js';
import type { JobAnnouncer } from './upload/job-announcer.js';
import type { ContentUrls } from './variants/content-urls.js';

export interface Readiness {
  ready: boolean;
  state: string;
  checks: Record<string, string>;
}

export interface GatewayServices {
  rpc: Pick<RpcClient, 'call' | 'callForText' | 'stream'>;
  store: ObjectStore;
  apiKeys: ApiKeyStore;
  revocations: Revocations;
  portalTokens: PortalTokenStore;
  quota: Pick<Quota, 'admit' | 'delegate'>;
  announcer: Pick<JobAnnouncer, 'announce'>;
  planPages: PlanPages;
  contentUrls: ContentUrls;
  callbacks: ExtractionCallbacks;
  logger: Logger;
  /** Larger uploads are refused. */
  uploadBytesMax: number;
  uploadMemory: Pick<UploadMemory, 'hold'>;
  readiness: () => Promise<Readiness>;
  /** The OpenAPI document, ready to send. */
  openApi: () => unknown;
}
