// Opens the queue of a connection with the credentials of its bucket.
import type { BucketCredentials, CredentialsOf } from '@kiln/contracts';
import type { NodeAgents } from '@kiln/outbound';
import type { ChangeQueue } from '@kiln/storage';
import type { GcsSignIn } from '@kiln/storage/gcs';
import { BucketError } from './domain/bucket-error.js';
import { sqsRegionOf, type QueuePlace } from './domain/queue-place.js';
import type { GoogleAccounts } from './google-accounts.service.js';
import type { RoleKeys } from './role-keys.service.js';
import { azureSignInOf, keysOf, REGION_DEFAULT, roleOf, type AzureCredentials } from './sign-in.adapter.js';

interface OpenQueueOptions {
  agents: NodeAgents;
  requestTimeoutMs: number;
  roleKeys: RoleKeys;
  googleAccounts: GoogleAccounts;
  /** Removed from the texts of errors. */
  secrets: string[];
  azureAuthority: string;
  azureQueueEndpoint?: string | undefined;
  pubSubEndpoint?: string | undefined;
}

const AZURE_QUEUE_ENDPOINT = 'https://{account}.queue.core.windows.net';

/** Makes no request. */
export async function changeQueueOf(
  place: QueuePlace & { region: string | null },
  credentials: BucketCredentials,
  options: OpenQueueOptions,
): Promise<ChangeQueue> {
  switch (credentials.kind) {
    case 'accessKey':
    case 'role':
      return sqsQueue(place, credentials, options);
    case 'serviceAccount':
      return pubSubQueue(place, { credentialsJson: JSON.stringify(credentials) }, options);
    case 'workloadIdentity':
      return pubSubQueue(place, { federated: options.googleAccounts.of(credentials, options) }, options);
    case 'servicePrincipal':
    case 'accountKey':
    case 'sharedAccessSignature':
      return storageQueue(place, credentials, options);
  }
}

async function sqsQueue(
  { type, queue: queueUrl, region: bucketRegion }: QueuePlace & { region: string | null },
  credentials: ({ kind: 'accessKey' } & CredentialsOf<'accessKey'>) | ({ kind: 'role' } & CredentialsOf<'role'>),
  { agents, requestTimeoutMs, roleKeys }: OpenQueueOptions,
): Promise<ChangeQueue> {
  assertType(type, 'sqs');
  const region = sqsRegionOf(queueUrl) ?? bucketRegion ?? REGION_DEFAULT;
  const open = { agents, requestTimeoutMs };
  const keys =
    credentials.kind === 'role' ? roleKeys.of({ ...roleOf(credentials, region), ...open }) : keysOf(credentials);
  return (await import('@kiln/storage/sqs')).openSqsQueue({ queueUrl, region, credentials: keys, ...open });
}

async function pubSubQueue(
  { type, queue: subscription }: QueuePlace,
  signIn: GcsSignIn,
  { agents, requestTimeoutMs, pubSubEndpoint: endpoint }: OpenQueueOptions,
): Promise<ChangeQueue> {
  assertType(type, 'pubsub');
  const config = { ...signIn, subscription, agents, requestTimeoutMs };
  return (await import('@kiln/storage/pubsub')).openPubSubQueue({ ...config, ...(endpoint && { endpoint }) });
}

async function storageQueue(
  { type, queue }: QueuePlace,
  credentials: AzureCredentials,
  options: OpenQueueOptions,
): Promise<ChangeQueue> {
  assertType(type, 'storage_queue');
  const { agents, requestTimeoutMs, azureAuthority: authority, azureQueueEndpoint = AZURE_QUEUE_ENDPOINT } = options;
  const { account_name: accountName } = credentials;
  const signIn = await azureSignInOf(credentials, { authority, agents, requestTimeoutMs });
  const endpoint = azureQueueEndpoint.replace('{account}', accountName);
  return (await import('@kiln/storage/storage-queue')).openStorageQueue({
    endpoint,
    queue,
    accountName,
    signIn,
    agents,
    requestTimeoutMs,
  });
}

/** A queue is accepted only if it fits the provider, so this is a defect. */
function assertType(type: QueuePlace['type'], expected: QueuePlace['type']): void {
  if (type !== expected) throw new BucketError('internal', `The credentials do not fit a queue of the type ${type}.`);
}
