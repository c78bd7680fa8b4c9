// Where a bucket lies: which endpoint it is asked at, in which region, and in which style.
import { storageProviderOf, type BucketCredentials, type StorageProviderId } from '@kiln/contracts';

export interface BucketPlace {
  provider: StorageProviderId;
  bucket: string;
  region: string | null;
}

export interface S3Place {
  /** Undefined: AWS, by region. */
  endpoint?: string;
  /** Undefined: AWS knows. */
  region?: string;
  forcePathStyle: boolean;
}

/** Stores other than AWS sign with any region, but for R2, which has one of its own. */
const REGION_DEFAULT = 'us-east-1';
const REGION_OF_R2 = 'auto';

/** Of a store of the S3 family. `endpoint` is the caller's own. */
export function s3PlaceOf({ provider, region }: Omit<BucketPlace, 'bucket'>, endpoint?: string | null): S3Place {
  const pattern = storageProviderOf(provider).endpoint;
  const known = endpoint ?? (region === null ? undefined : pattern?.replace('{region}', region));
  if (known === undefined) return { ...(region !== null && { region }), forcePathStyle: false };
  const regionOrDefault = region ?? (provider === 'r2' ? REGION_OF_R2 : REGION_DEFAULT);
  return { endpoint: known.replace(/\/+$/, ''), region: regionOrDefault, forcePathStyle: true };
}

/** The endpoint that the caller named, whose address has to be allowed. */
export const endpointOf = (credentials: BucketCredentials): string | null =>
  (credentials.kind === 'accessKey' && credentials.endpoint) || null;
