// Creates the container when it is missing, and requests it as a health check.
import { withDeadline } from '../deadline.js';
import { StorageError } from '../storage.errors.js';
import { isMissingContainer, toStorageError } from './azure-errors.js';
import type { AzureRequests } from './azure-requests.js';

const PING_TIMEOUT_MS = 3_000;

export async function ensureContainer(requests: AzureRequests): Promise<void> {
  await requests.run('creating the container', (abortSignal) => requests.container.createIfNotExists({ abortSignal }));
}

export async function pingContainer({ container, timeoutMs }: AzureRequests): Promise<void> {
  const action = 'reaching the object store';
  const deadline = { timeoutMs: Math.min(PING_TIMEOUT_MS, timeoutMs), action };
  await withDeadline(deadline, (abortSignal) => container.getProperties({ abortSignal })).catch((error: unknown) => {
    if (isMissingContainer(error)) {
      const message = `${action}: the container ${container.containerName} does not exist`;
      throw new StorageError('invalid', message, { cause: error });
    }
    throw toStorageError(error, action);
  });
}
