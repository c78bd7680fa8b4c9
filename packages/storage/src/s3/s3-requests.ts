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

  run<T>(
    action: string,
    send: (abortSignal: AbortSignal) => Promise<T>,
    options: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
  ): Promise<T> {
    return withDeadline({ timeoutMs: this.timeoutMs, action, toError: toStorageError, ...options }, send);
  }
}
