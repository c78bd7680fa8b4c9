// The location of a bucket: endpoint, region and addressing style.
import { storageProviderOf, type BucketCredentials, type StorageProviderId } from '@kiln/contracts';

export interface BucketPlace {
  provider: StorageProviderId;
  bucket: string;
  region: string | null;
}

export interface S3Place {
  /** Undefined: the endpoint of AWS for the region. */
  endpoint?: string;
  /** Undefined: AWS determines it. */
  region?: string;
  forcePathStyle: boolean;
}

/** Many stores accept any region in signatures. Others report theirs when they refuse a signature. */
const REGION_DEFAULT = 'us-east-1';
const REGION_OF_R2 = 'auto';
/** https://docs.aws.amazon.com/general/latest/gr/s3.html */
const ENDPOINT_OF_AWS = 'https://s3.{region}.amazonaws.com';

/** The place of a bucket in the S3 family. `endpoint` is the one that the caller gave. */
export function s3PlaceOf({ provider, region }: Omit<BucketPlace, 'bucket'>, endpoint?: string | null): S3Place {
  const pattern = storageProviderOf(provider).endpoint;
  const known = endpoint ?? (region === null ? undefined : pattern?.replace('{region}', region));
  if (known === undefined) return { ...(region !== null && { region }), forcePathStyle: false };
  const regionOrDefault =
    region ?? (provider === 'r2' ? REGION_OF_R2 : (regionIn(known, pattern ?? ENDPOINT_OF_AWS) ?? REGION_DEFAULT));
  return { endpoint: known.replace(/\/+$/, ''), region: regionOrDefault, forcePathStyle: true };
}

/** The region in the host of an endpoint that has the form of the vendor's endpoints. */
function regionIn(endpoint: string, pattern: string): string | undefined {
  const [before = '', after = ''] = new URL(pattern.replace('{region}', 'region')).hostname.split('region');
  const { hostname } = new URL(endpoint);
  const region = hostname.slice(before.length, -after.length);
  return hostname === `${before}${region}${after}` && /^[a-z0-9-]+$/.test(region) ? region : undefined;
}

/** The endpoint that the caller gave. Its address must be allowed. */
export const endpointOf = (credentials: BucketCredentials): string | null =>
  (credentials.kind === 'accessKey' && credentials.endpoint) || null;
