// Opens external buckets. Guarded agents make every connection, so an endpoint or a redirect cannot lead to a private address.
import type { BucketCredentials } from '@kiln/contracts';
import { createGuardedNodeAgents, type NodeAgents, type OutboundPolicy } from '@kiln/outbound';
import type { Bucket, BucketSummary, ChangeQueue } from '@kiln/storage';
import type { AzureStoreConfig } from '@kiln/storage/azure';
import type { GcsSignIn, GoogleSignInEndpoints } from '@kiln/storage/gcs';
import type { AssumedRoleConfig, S3BucketConfig, S3Keys } from '@kiln/storage/s3';
import { bucketErrorOf, queueErrorOf } from './bucket-failure.errors.js';
import { secretsOf } from './domain/credential-secrets.js';
import { s3PlaceOf, type BucketPlace } from './domain/bucket-place.js';
import type { QueuePlace } from './domain/queue-place.js';
import { StorageBucketAdapter } from './external-bucket.adapter.js';
import type { ExternalBucket } from './external-bucket.port.js';
import { ExternalQueue } from './external-queue.adapter.js';
import { changeQueueOf } from './change-queues.adapter.js';
import { GoogleAccounts } from './google-accounts.service.js';
import type { OidcIssuer } from './oidc-issuer.service.js';
import { RoleKeys } from './role-keys.service.js';
import { azureSignInOf, keysOf, REGION_DEFAULT, roleOf, type AzureCredentials } from './sign-in.adapter.js';

export interface BucketOpenerOptions {
  policy: OutboundPolicy;
  proxyUrl?: string | undefined;
  /** Undefined: Google's public endpoint. */
  gcsEndpoint?: string | undefined;
  /** Null or undefined: Kiln signs in to no identity pool. */
  issuer?: OidcIssuer | null;
  /** Undefined: Google's. */
  googleSignIn?: GoogleSignInEndpoints | undefined;
  /** Contains `{account}`. */
  azureEndpoint: string;
  azureAuthority: string;
  /** Undefined: Google's public endpoint of Pub/Sub. */
  pubSubEndpoint?: string | undefined;
  /** Contains `{account}`. */
  azureQueueEndpoint?: string | undefined;
  /** Certificates trusted in addition to the system's; for tests. */
  ca?: string;
}

export interface OpenOptions {
  /** Milliseconds for one call, retries included. */
  requestTimeoutMs: number;
}

/** How to open a bucket and how to list buckets, at one provider. */
interface Provider {
  open: (bucket: string) => Promise<Bucket>;
  listBuckets: () => Promise<BucketSummary[]>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 4_000;
const SOCKETS_MAX = 16;

export class BucketOpener {
  private readonly roleKeys = new RoleKeys(assume);

  private readonly googleAccounts: GoogleAccounts;

  constructor(private readonly options: BucketOpenerOptions) {
    this.googleAccounts = new GoogleAccounts(options.issuer ?? null, options.googleSignIn);
  }

  /** Makes no request. The caller closes the bucket. */
  async open(place: BucketPlace, credentials: BucketCredentials, options: OpenOptions): Promise<ExternalBucket> {
    const agents = this.newAgents();
    const secrets = secretsOf(credentials);
    try {
      const bucket = await this.providerOf(place, credentials, { ...options, agents, secrets }).open(place.bucket);
      return new StorageBucketAdapter(bucket, secrets, agents, options.requestTimeoutMs);
    } catch (error) {
      destroy(agents);
      throw bucketErrorOf(error, secrets);
    }
  }

  /** Makes no request. The caller closes the queue. `region` is used if the place of the queue has none. */
  async openQueue(
    place: QueuePlace & { region: string | null },
    credentials: BucketCredentials,
    options: OpenOptions,
  ): Promise<ChangeQueue> {
    const agents = this.newAgents();
    const secrets = secretsOf(credentials);
    const { roleKeys, googleAccounts } = this;
    try {
      const open = { ...this.options, ...options, agents, secrets, roleKeys, googleAccounts };
      return new ExternalQueue(await changeQueueOf(place, credentials, open), secrets, agents);
    } catch (error) {
      destroy(agents);
      throw queueErrorOf(error, secrets);
    }
  }

  /** Lists the buckets that the credentials can see. Throws BucketError. */
  async listBuckets(
    place: Omit<BucketPlace, 'bucket'>,
    credentials: BucketCredentials,
    options: OpenOptions,
  ): Promise<BucketSummary[]> {
    const agents = this.newAgents();
    const secrets = secretsOf(credentials);
    try {
      return await this.providerOf(place, credentials, { ...options, agents, secrets }).listBuckets();
    } catch (error) {
      throw bucketErrorOf(error, secrets);
    } finally {
      destroy(agents);
    }
  }

  private newAgents(): NodeAgents {
    const { policy, proxyUrl, ca } = this.options;
    return createGuardedNodeAgents({
      policy,
      proxyUrl,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      keepAliveMs: KEEP_ALIVE_MS,
      socketsMax: SOCKETS_MAX,
      ...(ca && { ca }),
    });
  }

  private providerOf(
    place: Omit<BucketPlace, 'bucket'>,
    credentials: BucketCredentials,
    { secrets, ...open }: OpenOptions & { agents: NodeAgents; secrets: string[] },
  ): Provider {
    switch (credentials.kind) {
      case 'accessKey': {
        const keys = keysOf(credentials);
        return s3Provider({ ...s3PlaceOf(place, credentials.endpoint), credentials: keys, ...open });
      }
      case 'role': {
        const s3Place = s3PlaceOf(place);
        const role = roleOf(credentials, s3Place.region ?? REGION_DEFAULT);
        return s3Provider({ ...s3Place, credentials: this.roleKeys.of({ ...role, ...open }), ...open });
      }
      case 'serviceAccount':
        return this.gcsProvider({ credentialsJson: JSON.stringify(credentials) }, open);
      case 'workloadIdentity':
        return this.gcsProvider(this.googleAccounts.signIn(credentials, { ...open, secrets }), open);
      case 'servicePrincipal':
      case 'accountKey':
      case 'sharedAccessSignature':
        return this.azureProvider(credentials, open);
    }
  }

  private gcsProvider(
    signIn: GcsSignIn & { project?: string },
    { requestTimeoutMs, agents }: OpenOptions & { agents: NodeAgents },
  ): Provider {
    const endpoint = this.options.gcsEndpoint;
    const config = { ...signIn, agents, requestTimeoutMs, ...(endpoint && { endpoint }) };
    return {
      open: async (bucket) => (await import('@kiln/storage/gcs')).openGcsBucket({ ...config, bucket }),
      listBuckets: async () => (await import('@kiln/storage/gcs')).listGcsBuckets(config),
    };
  }

  private azureProvider(
    credentials: AzureCredentials,
    { requestTimeoutMs, agents }: OpenOptions & { agents: NodeAgents },
  ): Provider {
    const { azureAuthority: authority, azureEndpoint } = this.options;
    const { account_name: accountName } = credentials;
    const configOf = async (): Promise<Omit<AzureStoreConfig, 'container'>> => {
      const account = { accountName, endpoint: azureEndpoint.replace('{account}', accountName), agents };
      const signIn = await azureSignInOf(credentials, { authority, agents, requestTimeoutMs });
      return { ...account, ...signIn, requestTimeoutMs };
    };
    return {
      open: async (container) =>
        (await import('@kiln/storage/azure')).openAzureContainer({ ...(await configOf()), container }),
      listBuckets: async () => (await import('@kiln/storage/azure')).listAzureContainers(await configOf()),
    };
  }
}

function s3Provider(config: Omit<S3BucketConfig, 'bucket'>): Provider {
  return {
    open: async (bucket) => (await import('@kiln/storage/s3')).openS3Bucket({ ...config, bucket }),
    listBuckets: async () =>
      (await import('@kiln/storage/s3')).listS3Buckets({ ...config, region: config.region ?? REGION_DEFAULT }),
  };
}

async function assume(role: AssumedRoleConfig): Promise<S3Keys> {
  return (await import('@kiln/storage/s3')).assumedRole(role)();
}

function destroy(agents: NodeAgents): void {
  agents.http.destroy();
  agents.https.destroy();
}
