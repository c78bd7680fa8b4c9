// Deletes many blobs, 256 per batch request. All are tried before the failures are reported.
import type { BlobBatchClient } from '@azure/storage-blob';
import { throwDeleteFailures, type DeleteFailure } from '../delete-failures.js';
import { isMissing } from './azure-errors.js';
import type { AzureRequests } from './azure-requests.js';

const KEYS_PER_REQUEST = 256;

export async function deleteKey(requests: AzureRequests, key: string): Promise<void> {
  await requests.run(`deleting ${key}`, (abortSignal) =>
    requests
      .blob(key)
      .delete({ abortSignal, deleteSnapshots: 'include' })
      .then(
        () => undefined,
        (error: unknown) => {
          if (!isMissing(error)) throw error;
        },
      ),
  );
}

export async function deleteKeys(requests: AzureRequests, keys: readonly string[]): Promise<void> {
  const batches = requests.container.getBlobBatchClient();
  const failures: DeleteFailure[] = [];
  for (let at = 0; at < keys.length; at += KEYS_PER_REQUEST) {
    failures.push(...(await deleteBatch(requests, batches, keys.slice(at, at + KEYS_PER_REQUEST))));
  }
  throwDeleteFailures(keys.length, failures);
}

async function deleteBatch(
  requests: AzureRequests,
  batches: BlobBatchClient,
  keys: readonly string[],
): Promise<DeleteFailure[]> {
  const blobs = keys.map((key) => requests.blob(key));
  const answer = await requests.run('deleting objects', (abortSignal) =>
    batches.deleteBlobs(blobs, { abortSignal, deleteSnapshots: 'include' }),
  );
  return answer.subResponses
    .map(({ status, errorCode, statusMessage }, at) => ({ status, errorCode, statusMessage, key: keys[at] ?? '' }))
    .filter(({ status }) => status >= 300 && status !== 404)
    .map(({ status, errorCode, statusMessage, key }) => ({
      key,
      message: errorCode ?? statusMessage,
      denied: status === 401 || status === 403,
    }));
}
