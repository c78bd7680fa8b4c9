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
  region: string;
  forcePathStyle: boolean;
}

/** AWS answers from here where a bucket really lies. Other stores sign with any region, but for R2, which has one of its own. */
const REGION_DEFAULT = 'us-east-1';
const REGION_OF_R2 = 'auto';

/** Of a store of the S3 family. `endpoint` is the caller's own. */
export function s3PlaceOf({ provider, region }: Omit<BucketPlace, 'bucket'>, endpoint?: string | null): S3Place {
  const pattern = storageProviderOf(provider).endpoint;
  const known = endpoint ?? (region === null ? undefined : pattern?.replace('{region}', region));
  const signedRegion = region ?? (provider === 'r2' ? REGION_OF_R2 : REGION_DEFAULT);
  if (known === undefined) return { region: signedRegion, forcePathStyle: false };
  return { endpoint: known.replace(/\/+$/, ''), region: signedRegion, forcePathStyle: true };
}

/** The endpoint that the caller named, whose address has to be allowed. */
export const endpointOf = (credentials: BucketCredentials): string | null =>
  (credentials.kind === 'accessKey' && credentials.endpoint) || null;
