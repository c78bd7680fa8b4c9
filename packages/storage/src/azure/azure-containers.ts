// The containers of a storage account.
import { BUCKETS_MAX, type BucketSummary } from '../bucket.port.js';
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';
import { createAzureClients, type AzureStoreConfig } from './azure-client.js';
import { AzureRequests } from './azure-requests.js';

const PAGE_CONTAINERS = 1_000;

/** Azure tells no region of a container: it is that of the account. Throws StorageError. */
export async function listAzureContainers(config: Omit<AzureStoreConfig, 'container'>): Promise<BucketSummary[]> {
  const { service, container } = createAzureClients({ ...config, container: '$root' });
  const requests = new AzureRequests(container, config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS);
  return requests.run('listing the containers', async (abortSignal) => {
    const found: BucketSummary[] = [];
    for await (const page of service.listContainers({ abortSignal }).byPage({ maxPageSize: PAGE_CONTAINERS })) {
      for (const { name } of page.containerItems) found.push({ name, region: null });
      if (found.length >= BUCKETS_MAX) break;
    }
    return found.slice(0, BUCKETS_MAX);
  });
}
