// The stores and services that handlers use.
import type { Logger, Readiness, RpcClient, TenantPauses } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import type { EventStreams } from './event-streams/event-streams.service.js';
import type { ExtractionCallbacks } from './extractions/extraction-callbacks.service.js';
import type { Revocations } from './keys/revocations.adapter.js';
import type { ApiKeyStore } from './keys/api-key.store.js';
import type { UploadMemory } from './limits/upload-memory.service.js';
import type { TokenBucket } from './limits/token-bucket.adapter.js';
import type { PortalSettingsStore } from './portal/portal-settings.store.js';
import type { PortalTokenStore } from './portal/portal-token.store.js';
import type { Quota } from './quota/quota.service.js';
import type { SignInCodeStore } from './sign-in/sign-in-code.store.js';
import type { JobEnds } from './waiting/job-ends.service.js';
import type { RemoteFiles } from './upload/remote-files.adapter.js';
import type { JobCreator } from './upload/job-creator.adapter.js';
import type { ContentUrls } from './variants/content-urls.service.js';

export interface GatewayServices {
  rpc: Pick<RpcClient, 'call' | 'callForText' | 'stream'>;
  store: ObjectStore;
  apiKeys: ApiKeyStore;
  revocations: Revocations;
  portalTokens: PortalTokenStore;
  signInCodes: Pick<SignInCodeStore, 'take'>;
  signInAttempts: Pick<TokenBucket, 'take'>;
  portalSettings: PortalSettingsStore;
  quota: Pick<Quota, 'admit' | 'hardLimitOf' | 'pagesOf' | 'syncLimits'>;
  jobCreator: Pick<JobCreator, 'create'>;
  remoteFiles: Pick<RemoteFiles, 'open'>;
  contentUrls: ContentUrls;
  callbacks: ExtractionCallbacks;
  logger: Logger;
  /** Larger uploads are refused. */
  uploadBytesMax: number;
  uploadMemory: Pick<UploadMemory, 'hold'>;
  tenantPauses: Pick<TenantPauses, 'pause'>;
  jobEnds: Pick<JobEnds, 'stateOf'>;
  eventStreams: Pick<EventStreams, 'start'>;
  credentials: {
    /** Throws UNAUTHORIZED when the credentials of this Authorization header are no longer valid, or UNAVAILABLE. */
    reconfirm: (header: string | undefined) => Promise<void>;
  };
  /** The issuer of bearer tokens, if one is configured. */
  bearerIssuer: string | undefined;
  /** The configured address of the gateway. */
  publicUrl: string | undefined;
  readiness: () => Promise<Readiness>;
  openApiDocument: unknown;
}
