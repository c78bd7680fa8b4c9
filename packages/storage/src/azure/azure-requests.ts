// Makes the requests of the Azure adapter: one container, a deadline, and StorageError for failures.
import type { BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import { withDeadline } from '../deadline.js';
import { toStorageError } from './azure-errors.js';

export class AzureRequests {
  constructor(
    readonly container: ContainerClient,
    readonly timeoutMs: number,
  ) {}

  blob(key: string): BlockBlobClient {
    return this.container.getBlockBlobClient(key);
  }

  async run<T>(
    action: string,
    send: (abortSignal: AbortSignal) => Promise<T>,
    options: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
  ): Promise<T> {
    try {
      return await withDeadline({ timeoutMs: this.timeoutMs, action, ...options }, send);
    } catch (error) {
      throw toStorageError(error, action);
    }
  }
}
