// An external bucket of the S3 family.
import { HeadBucketCommand, ListBucketsCommand } from '@aws-sdk/client-s3';
import { BUCKETS_MAX, type Bucket, type BucketSummary } from '../bucket.port.js';
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';
import { limitAnswers } from './s3-answer-limit.js';
import { createS3Client, type S3ClientConfig } from './s3-client.js';
import { S3Reading } from './s3-reading.js';
import { S3Requests } from './s3-requests.js';
import { keepRetryAfter } from './s3-retry-after.js';

export interface S3BucketConfig extends Omit<S3ClientConfig, 'region'> {
  bucket: string;
  /** Undefined: AWS is asked for it when a URL is first signed. */
  region?: string;
}

/** An external store may return pages without end. */
const PAGES_MAX = 20;

/** In this region, AWS answers for buckets of all regions, and reports their region. */
const REGION_THAT_KNOWS = 'us-east-1';

/** Makes no request. */
export function openS3Bucket({ bucket, region, ...config }: S3BucketConfig): Bucket {
  const client = createS3Client({ ...config, region: region ?? REGION_THAT_KNOWS }, config.endpoint);
  limitAnswers(client);
  keepRetryAfter(client);
  const requests = new S3Requests(client, bucket, config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS);
  if (config.endpoint !== undefined) return new S3Reading(requests, client);
  if (region !== undefined) return new S3Reading(requests, client, true);
  // AWS redirects a request to the right region, but the users of a signed URL would not follow.
  return new S3Reading(requests, createS3Client({ ...config, region: () => regionOf(requests) }, undefined), true);
}

async function regionOf(requests: S3Requests): Promise<string> {
  const command = new HeadBucketCommand({ Bucket: requests.bucket });
  const answer = await requests.run('looking for the region of the bucket', (abortSignal) =>
    requests.client.send(command, { abortSignal }),
  );
  return answer.BucketRegion ?? REGION_THAT_KNOWS;
}

/** Lists the buckets that the credentials can see. Throws StorageError. */
export async function listS3Buckets(config: S3ClientConfig): Promise<BucketSummary[]> {
  const client = createS3Client(config, config.endpoint);
  limitAnswers(client);
  keepRetryAfter(client);
  const requests = new S3Requests(client, '', config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS);
  const found: BucketSummary[] = [];
  try {
    let cursor: string | undefined;
    let pages = 0;
    do {
      const command = new ListBucketsCommand(cursor === undefined ? {} : { ContinuationToken: cursor });
      const page = await requests.run('listing the buckets', (abortSignal) => client.send(command, { abortSignal }));
      for (const { Name, BucketRegion } of page.Buckets ?? []) {
        if (Name !== undefined) found.push({ name: Name, region: BucketRegion ?? null });
      }
      // Stores without pages repeat the first page when the next one is requested.
      cursor = page.ContinuationToken === cursor ? undefined : page.ContinuationToken;
    } while (cursor && found.length < BUCKETS_MAX && ++pages < PAGES_MAX);
    return found.slice(0, BUCKETS_MAX);
  } finally {
    client.destroy();
  }
}
