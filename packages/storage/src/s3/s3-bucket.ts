// Creates the bucket when it is missing, and requests it as a health check.
import { CreateBucketCommand, HeadBucketCommand, type BucketLocationConstraint } from '@aws-sdk/client-s3';
import { withDeadline } from '../deadline.js';
import { StorageError } from '../storage.errors.js';
import type { S3StoreConfig } from './s3-client.js';
import { isMissing, toStorageError } from './s3-errors.js';
import type { S3Requests } from './s3-requests.js';

const PING_TIMEOUT_MS = 3_000;

export async function ensureBucket(requests: S3Requests, config: S3StoreConfig): Promise<void> {
  const { client, bucket: Bucket } = requests;
  const head = new HeadBucketCommand({ Bucket });
  const exists = await requests.run('looking for the bucket', (abortSignal) =>
    client.send(head, { abortSignal }).then(
      () => true,
      (error: unknown) => {
        if (isMissing(error)) return false;
        throw error;
      },
    ),
  );
  if (exists) return;
  // AWS requires the region unless it is us-east-1. Other stores have no regions.
  const LocationConstraint = config.region as BucketLocationConstraint;
  const elsewhere = config.endpoint === undefined && config.region !== 'us-east-1';
  const create = new CreateBucketCommand({
    Bucket,
    ...(elsewhere && { CreateBucketConfiguration: { LocationConstraint } }),
  });
  await requests.run('creating the bucket', (abortSignal) =>
    client.send(create, { abortSignal }).catch((error: unknown) => {
      const raced = error instanceof Error && /^BucketAlready(OwnedByYou|Exists)$/.test(error.name);
      if (raced) return client.send(head, { abortSignal });
      throw error;
    }),
  );
}

export async function pingBucket({ client, bucket, timeoutMs }: S3Requests): Promise<void> {
  const command = new HeadBucketCommand({ Bucket: bucket });
  const action = 'reaching the object store';
  const deadline = { timeoutMs: Math.min(PING_TIMEOUT_MS, timeoutMs), action };
  await withDeadline(deadline, (abortSignal) => client.send(command, { abortSignal })).catch((error: unknown) => {
    if (isMissing(error)) {
      throw new StorageError('invalid', `${action}: the bucket ${bucket} does not exist`, { cause: error });
    }
    throw toStorageError(error, action);
  });
}
