// Somebody else's bucket on a store of the S3 family.
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { BUCKETS_MAX, type Bucket, type BucketSummary } from '../bucket.port.js';
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';
import { createS3Client, type S3ClientConfig } from './s3-client.js';
import { S3Reading } from './s3-reading.js';
import { S3Requests } from './s3-requests.js';

export interface S3BucketConfig extends S3ClientConfig {
  bucket: string;
}

/** Makes no request. */
export function openS3Bucket(config: S3BucketConfig): Bucket {
  const client = createS3Client(config, config.endpoint);
  const timeoutMs = config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS;
  return new S3Reading(new S3Requests(client, config.bucket, timeoutMs), client);
}

/** The buckets that these credentials see. Throws StorageError. */
export async function listS3Buckets(config: S3ClientConfig): Promise<BucketSummary[]> {
  const client = createS3Client(config, config.endpoint);
  const requests = new S3Requests(client, '', config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS);
  const found: BucketSummary[] = [];
  try {
    let cursor: string | undefined;
    do {
      const command = new ListBucketsCommand(cursor === undefined ? {} : { ContinuationToken: cursor });
      const page = await requests.run('listing the buckets', (abortSignal) => client.send(command, { abortSignal }));
      for (const { Name, BucketRegion } of page.Buckets ?? []) {
        if (Name !== undefined) found.push({ name: Name, region: BucketRegion ?? null });
      }
      // Stores that know no pages repeat themselves when asked for the next.
      cursor = page.ContinuationToken === cursor ? undefined : page.ContinuationToken;
    } while (cursor && found.length < BUCKETS_MAX);
    return found.slice(0, BUCKETS_MAX);
  } finally {
    client.destroy();
  }
}
