// The buckets of a project: https://cloud.google.com/storage/docs/json_api/v1/buckets/list
import { BUCKETS_MAX, type BucketSummary } from '../bucket.port.js';
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';
import { ListingNotProvenError } from '../listing-not-proven.error.js';
import { StorageError } from '../storage.errors.js';
import {
  createGcsClient,
  GOOGLE_ENDPOINT,
  serviceAccountOf,
  type GcsSignIn,
  type GcsStoreConfig,
} from './gcs-client.js';
import { GcsRequests } from './gcs-requests.js';

interface BucketsPage {
  kind?: string;
  items?: { name: string; location?: string }[];
  nextPageToken?: string;
}

/** An external store may return pages without end. */
const PAGES_MAX = 100;

export type GcsProjectConfig = Omit<GcsStoreConfig, 'bucket' | keyof GcsSignIn> &
  GcsSignIn & {
    /** Only for `federated`: a key names its project. */
    project?: string;
  };

/** Lists the buckets of the service account's project. Throws StorageError. */
export async function listGcsBuckets(config: GcsProjectConfig): Promise<BucketSummary[]> {
  const { endpoint = GOOGLE_ENDPOINT, requestTimeoutMs = REQUEST_TIMEOUT_DEFAULT_MS, agents } = config;
  const action = 'listing the buckets';
  // Only the credentials may name the project: the SDK would fall back to a project of this machine.
  const project = config.federated ? config.project : serviceAccountOf(config.credentialsJson).project_id;
  if (project === undefined) {
    const holder = config.federated ? 'the credentials have' : 'the key of the service account has';
    throw new StorageError('invalid', `${action}: ${holder} no project_id`);
  }
  const storage = createGcsClient({ ...config, bucket: '' });
  const requests = new GcsRequests(storage, endpoint, '', requestTimeoutMs, agents, config.federated);
  const found: BucketSummary[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const { data }: { data: BucketsPage } = await requests.json<BucketsPage>(action, {
      method: 'GET',
      url: requests.bucketsUrl,
      params: { project, fields: 'kind,items(name,location),nextPageToken', ...(cursor && { pageToken: cursor }) },
    });
    if (data.kind !== 'storage#buckets') {
      throw new ListingNotProvenError('the response is not a list of buckets of the JSON API');
    }
    for (const { name, location } of data.items ?? []) found.push({ name, region: location?.toLowerCase() ?? null });
    cursor = data.nextPageToken;
  } while (cursor && found.length < BUCKETS_MAX && ++pages < PAGES_MAX);
  return found.slice(0, BUCKETS_MAX);
}
