// Checks that a bucket can be used as Kiln uses it: listed, read, and read by signed URLs. A role may be allowed to list objects but not to
// read or decrypt them, and a URL that is signed for another region fails although the SDK follows the redirect of a listing.
import type { BucketCredentials } from '@kiln/contracts';
import type { BucketOpener, OpenOptions } from './bucket-opener.service.js';
import { isStorableFile } from '../nodes/listed-nodes.domain.js';
import { BucketError } from './domain/bucket-error.js';
import type { BucketPlace } from './domain/bucket-place.js';
import type { BucketObject, ExternalBucket, UrlAnswer } from './external-bucket.port.js';

export interface CheckedPlace extends BucketPlace {
  prefix: string;
}

/** The first of so many objects is read that can be a file. */
const LISTED_MAX = 10;
/** Codes of AWS and Azure. */
const ARCHIVED = new Set(['InvalidObjectState', 'BlobArchived']);
/** The key of a URL for a bucket without objects. */
const MISSING_KEY = 'kiln-checks-this-signature';

/**
 * Returns the region with which the bucket works: that of `place`, or the one that the provider reports when the bucket does not work with
 * it. Throws BucketError.
 */
export async function workingRegion(
  opener: BucketOpener,
  place: CheckedPlace,
  credentials: BucketCredentials,
  options: OpenOptions,
): Promise<string | null> {
  const check = async (region: string | null): Promise<string | null> => {
    const bucket = await opener.open({ ...place, region }, credentials, options);
    try {
      return await checkBucket(bucket, place.prefix).then(
        () => null,
        (error: unknown) => otherRegion(bucket, error),
      );
    } finally {
      bucket.close();
    }
  };
  const other = await check(place.region);
  if (other === null) return place.region;
  if ((await check(other)) !== null) throw wrongRegion(other, place.region);
  return other;
}

/** Throws BucketError. Where only the region is wrong, the error says so. */
export async function checkBucketIn(bucket: ExternalBucket, { prefix, region }: CheckedPlace): Promise<void> {
  try {
    await checkBucket(bucket, prefix);
  } catch (error) {
    throw wrongRegion(await otherRegion(bucket, error), region);
  }
}

/** The region that the provider reports. Throws `error` when that is not the cause of the error. */
async function otherRegion(bucket: ExternalBucket, error: unknown): Promise<string> {
  if (!(error instanceof BucketError) || error.retryable) throw error;
  const found = await bucket.otherRegion().catch(() => null);
  if (found === null) throw error;
  return found;
}

const wrongRegion = (found: string, given: string | null): BucketError =>
  new BucketError(
    'refused',
    `The provider says that the bucket is in the region ${found}, but the connection ${given === null ? 'has none' : `has ${given}`}. ` +
      `Set it by PATCH /v1/connections/:id {"region": "${found}"}.`,
  );

async function checkBucket(bucket: ExternalBucket, prefix: string): Promise<void> {
  const { objects } = await bucket.list({ prefix, limit: LISTED_MAX });
  const object = objects.find((listed) => isStorableFile(listed) && !listed.archivedIn);
  if (object) await readBeginning(bucket, object);
  const { url } = await bucket.ownUrl(object?.key ?? `${prefix}${MISSING_KEY}`);
  assertAccepted(await bucket.tryUrl(url), object !== undefined);
}

/** A store decrypts an object when it is read. */
async function readBeginning(bucket: ExternalBucket, { key }: BucketObject): Promise<void> {
  try {
    const opened = await bucket.read(key);
    opened?.body.destroy();
  } catch (error) {
    if (!(error instanceof BucketError)) throw error;
    // The permission to read is checked before the archive.
    if (error.code === 'object_archived') return;
    const { code, message, retryable, retryAfterSeconds } = error;
    const said = `The bucket can be listed, but its objects cannot be read. ${message}`;
    throw new BucketError(code, said, { cause: error, retryable, retryAfterSeconds });
  }
}

/** A missing object is 404, or 403 for keys that may list only a part of the bucket. An empty one is 416. */
function assertAccepted({ status, text }: UrlAnswer, exists: boolean): void {
  const code = /<Code>([\w.]{1,64})<\/Code>/.exec(text)?.[1] ?? '';
  const isRead = status === 200 || status === 206 || status === 404 || status === 416;
  if (isRead || ARCHIVED.has(code) || (!exists && code === 'AccessDenied')) return;
  const retryable = status === 429 || status >= 500;
  const message =
    `The bucket can be listed, but a signed URL to an object was answered with ${status}${code && ` ${code}`}. Check the region, and ` +
    'that the credentials may read objects.';
  throw new BucketError(retryable ? 'unreachable' : 'refused', message, { retryable });
}
