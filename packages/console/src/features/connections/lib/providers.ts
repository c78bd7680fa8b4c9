// The fields of the form for each provider: the kinds of credentials, the region, the endpoint, the queue.
import type { Schemas } from '@kiln/sdk';

export type Provider = Schemas['Connection']['provider'];

export const kindNames = {
  role: 'A role that Kiln assumes',
  accessKey: 'An access key',
  serviceAccount: 'A key of a service account',
  workloadIdentity: 'A service account without a key',
  servicePrincipal: 'An application in Entra ID',
  accountKey: 'A key of the storage account',
  sharedAccessSignature: 'A shared access signature',
} as const;
export type CredentialKind = keyof typeof kindNames;

interface ProviderForm {
  kinds: readonly [CredentialKind, ...CredentialKind[]];
  bucketTitle: string;
  /** `asked`: Kiln finds a region that is left out. `needed`: the endpoint follows from it. */
  region?: 'asked' | 'needed';
  /** Whether stores of this kind may list keys in no order. */
  mayBeUnsorted?: true;
  /** An example. Without it the provider has one endpoint, or one for each region. */
  endpoint?: string;
  /** The queue to which buckets report changes, if they can, with an example. */
  queue?: { type: QueueType; example: string };
  /** Whether the provider makes inventories of buckets. */
  hasInventories?: true;
}

type QueueType = NonNullable<Schemas['Connection']['notifications']>['type'];

const sqs = { type: 'sqs', example: 'https://sqs.eu-central-1.amazonaws.com/123456789012/kiln' } as const;

const bucketTitle = 'Bucket';

export const providerForms: Record<Provider, ProviderForm> = {
  s3: { kinds: ['role', 'accessKey'], bucketTitle, region: 'asked', queue: sqs, hasInventories: true },
  gcs: {
    kinds: ['serviceAccount', 'workloadIdentity'],
    bucketTitle,
    queue: { type: 'pubsub', example: 'projects/acme/subscriptions/kiln' },
  },
  container_blob: {
    kinds: ['servicePrincipal', 'accountKey', 'sharedAccessSignature'],
    bucketTitle: 'Container',
    queue: { type: 'storage_queue', example: 'kiln' },
  },
  r2: { kinds: ['accessKey'], bucketTitle, endpoint: 'https://<account id>.r2.cloudflarestorage.com' },
  selfhost_s3: {
    kinds: ['accessKey'],
    bucketTitle,
    region: 'asked',
    mayBeUnsorted: true,
    endpoint: 'https://s3.example.com',
    queue: sqs,
  },
  b2: { kinds: ['accessKey'], bucketTitle, region: 'needed' },
  spaces_store: { kinds: ['accessKey'], bucketTitle, region: 'needed' },
  hot_store: { kinds: ['accessKey'], bucketTitle, region: 'needed' },
  backend_storage: {
    kinds: ['accessKey'],
    bucketTitle,
    region: 'asked',
    endpoint: 'https://<project>.storage.supabase.co/storage/v1/s3',
  },
};

const isProvider = (text: string): text is Provider => Object.hasOwn(providerForms, text);

/** Ignores what it does not know: addresses are typed and shared. */
export const readProvider = ({ provider }: Record<string, unknown>): { provider?: Provider } =>
  typeof provider === 'string' && isProvider(provider) ? { provider } : {};
