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

  run<T>(
    action: string,
    send: (abortSignal: AbortSignal) => Promise<T>,
    options: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
  ): Promise<T> {
    return withDeadline({ timeoutMs: this.timeoutMs, action, toError: toStorageError, ...options }, send);
  }
}
