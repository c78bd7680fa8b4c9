// A bucket that belongs to somebody else: what it holds is listed, read and signed for, and nothing in it is made or deleted.
import type { KeyOrder } from './key-order.js';
import type { ObjectStore } from './object-store.port.js';

export interface Bucket extends Pick<ObjectStore, 'list' | 'head' | 'get' | 'signGet' | 'signPut' | 'close'> {
  /** Those that the provider may list keys in: which one, it does not say. */
  readonly keyOrders: readonly KeyOrder[];
}

export interface BucketSummary {
  name: string;
  /** Where it lies, as the provider calls it; null where the provider does not say. */
  region: string | null;
}

/** Of the buckets that credentials see, so many are told of at most. */
export const BUCKETS_MAX = 5_000;
