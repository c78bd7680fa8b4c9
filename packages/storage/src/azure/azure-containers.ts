// The containers of a storage account.
import { BUCKETS_MAX, type BucketSummary } from '../bucket.port.js';
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';
import { ListingNotProvenError } from '../listing-not-proven.error.js';
import { createAzureClients, type AzureStoreConfig } from './azure-client.js';
import { isUnreadable } from './azure-errors.js';
import { AzureRequests } from './azure-requests.js';
import { assertWhole } from './azure-shapes.js';

const PAGE_CONTAINERS = 1_000;

/** Azure reports no region of a container: it is the region of the account. Throws StorageError. */
export async function listAzureContainers(config: Omit<AzureStoreConfig, 'container'>): Promise<BucketSummary[]> {
  const { service, container } = createAzureClients({ ...config, container: '$root' });
  const requests = new AzureRequests(container, config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS);
  return requests.run('listing the containers', async (abortSignal) => {
    const found: BucketSummary[] = [];
    const pages = service.listContainers({ abortSignal }).byPage({ maxPageSize: PAGE_CONTAINERS });
    for await (const page of readable(pages)) {
      // The SDK returns it here as in listings of blobs, but omits it from the type.
      assertWhole((page._response as { bodyAsText?: string }).bodyAsText ?? '');
      for (const { name } of page.containerItems) found.push({ name, region: null });
      if (found.length >= BUCKETS_MAX) break;
    }
    return found.slice(0, BUCKETS_MAX);
  });
}

async function* readable<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  try {
    yield* pages;
  } catch (error) {
    throw isUnreadable(error) ? new ListingNotProvenError('the response cannot be parsed', { cause: error }) : error;
  }
}
