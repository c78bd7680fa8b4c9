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

/** Stores other than AWS accept any region in signatures, except R2. */
const REGION_DEFAULT = 'us-east-1';
const REGION_OF_R2 = 'auto';

/** The place of a bucket in the S3 family. `endpoint` is the one that the caller gave. */
export function s3PlaceOf({ provider, region }: Omit<BucketPlace, 'bucket'>, endpoint?: string | null): S3Place {
  const pattern = storageProviderOf(provider).endpoint;
  const known = endpoint ?? (region === null ? undefined : pattern?.replace('{region}', region));
  if (known === undefined) return { ...(region !== null && { region }), forcePathStyle: false };
  const regionOrDefault = region ?? (provider === 'r2' ? REGION_OF_R2 : REGION_DEFAULT);
  return { endpoint: known.replace(/\/+$/, ''), region: regionOrDefault, forcePathStyle: true };
}

/** The endpoint that the caller gave. Its address must be allowed. */
export const endpointOf = (credentials: BucketCredentials): string | null =>
  (credentials.kind === 'accessKey' && credentials.endpoint) || null;
