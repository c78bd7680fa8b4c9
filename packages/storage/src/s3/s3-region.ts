// The region of a bucket of the S3 family, as the store reports it.
import { HeadBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { S3Requests } from './s3-requests.js';

const REGION = /^[a-z0-9][a-z0-9-]{0,63}$/;
const REGION_HEADER = 'x-amz-bucket-region';

interface SdkError {
  /** The element of the error that a store returns for a signature of another region. */
  Region?: unknown;
  $response?: { headers?: Record<string, string> };
}

/** Null when the store does not report it. A store that refuses the requests may still report it. */
export async function reportedRegion(requests: S3Requests): Promise<string | null> {
  const { client, bucket } = requests;
  const action = 'looking for the region of the bucket';
  const head = (abortSignal: AbortSignal) =>
    client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }).then(({ BucketRegion }) => BucketRegion);
  // The response to a HEAD has no body, so some stores report the region only in the error of another request.
  const list = (abortSignal: AbortSignal) =>
    client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }), { abortSignal }).then(() => undefined);
  for (const ask of [head, list]) {
    const region = await requests.run(action, (signal) => ask(signal).catch(regionInError));
    if (region !== undefined && REGION.test(region)) return region;
  }
  return null;
}

function regionInError(error: unknown): string | undefined {
  const { Region, $response } = error as SdkError;
  return typeof Region === 'string' ? Region : $response?.headers?.[REGION_HEADER];
}
