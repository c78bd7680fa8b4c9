// Asks a bucket for the current state of single keys.
import { inParallel } from '@kiln/storage';
import { BucketError } from './domain/bucket-error.js';
import type { BucketObject, ExternalBucket } from './external-bucket.port.js';

const LOOK_UPS_IN_FLIGHT = 8;
/** A store that iterates over deleted objects may return pages without an object. */
const EMPTY_PAGES_MAX = 10;

export interface LookedUp {
  objects: BucketObject[];
  /** Keys without an object. */
  gone: string[];
}

/**
 * Lists each key as a prefix: the answer is what a sync would find, with the storage class, and needs no other permission. A store that lists in
 * no order is sent a HEAD. Throws BucketError.
 */
export async function lookUpObjects(
  bucket: ExternalBucket,
  keys: readonly string[],
  { isSorted, signal }: { isSorted: boolean; signal: AbortSignal },
): Promise<LookedUp> {
  const found: LookedUp = { objects: [], gone: [] };
  await inParallel(keys, LOOK_UPS_IN_FLIGHT, async (key) => {
    signal.throwIfAborted();
    const object = isSorted ? await listed(bucket, key, signal) : await bucket.head(key);
    if (object === null) found.gone.push(key);
    else found.objects.push(object);
  });
  return found;
}

/** In the order of every provider, a key comes before the keys that it begins. */
async function listed(bucket: ExternalBucket, key: string, signal: AbortSignal): Promise<BucketObject | null> {
  let cursor: string | undefined;
  for (let page = 0; page < EMPTY_PAGES_MAX; page += 1) {
    const { objects, next } = await bucket.list({ prefix: key, cursor, limit: 1, signal });
    const [first] = objects;
    if (first !== undefined) return first.key === key ? first : null;
    if (next === null) return null;
    cursor = next;
  }
  throw new BucketError('listing_incomplete', 'The store returned only pages without an object.', { retryable: true });
}
