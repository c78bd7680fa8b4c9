// Makes the requests of the S3 adapter: one client, one bucket, a deadline, and StorageError for failures.
import type { S3Client } from '@aws-sdk/client-s3';
import { withDeadline } from '../deadline.js';
import { toStorageError } from './s3-errors.js';

export class S3Requests {
  constructor(
    readonly client: S3Client,
    readonly bucket: string,
    readonly timeoutMs: number,
  ) {}

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
