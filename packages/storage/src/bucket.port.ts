// An external bucket: it belongs to a customer. Its objects are listed and read, and URLs are signed for them. Nothing is deleted.
import type { KeyOrder } from './key-order.js';
import type { ObjectStore } from './object-store.port.js';

export interface Bucket extends Pick<
  ObjectStore,
  'list' | 'head' | 'get' | 'signGet' | 'signPut' | 'keysExpireAt' | 'close'
> {
  /** The orders in which the provider may list keys. It does not report which one it uses. */
  readonly keyOrders: readonly KeyOrder[];
  /**
   * Where URLs cannot be signed for one object: a URL to an object that contains the credentials of the bucket, for Kiln's own requests.
   */
  readonly ownUrl?: ((key: string) => string) | undefined;
  /** The region that the provider reports for the bucket, when it is not the one that signs. It may be reported although requests fail. */
  otherRegion(): Promise<string | null>;
}

export interface BucketSummary {
  name: string;
  /** The provider's name of its location. Null when the provider does not report it. */
  region: string | null;
}

/** At most this many of the buckets that the credentials can see are listed. */
export const BUCKETS_MAX = 5_000;
