// Somebody else's bucket, whichever provider keeps it. Whatever fails throws a BucketError.
import type { Readable } from 'node:stream';

export interface BucketObject {
  key: string;
  sizeBytes: number;
  /** Opaque: another one means other bytes. */
  etag: string;
  lastModified: Date;
  /** Null in listings, which do not tell it. */
  contentType: string | null;
}

export interface ListRequest {
  /** Only keys that start with it; empty: all. */
  prefix: string;
  /** `next` of the page before, while the walk goes on. Providers keep it for a day at least. */
  cursor?: string | undefined;
  /** 1 to 1,000. A page may hold fewer, or none, and still not be the last. */
  limit: number;
  signal?: AbortSignal | undefined;
}

export interface BucketPage {
  objects: BucketObject[];
  next: string | null;
}

export interface SignedUpload {
  url: string;
  /** To be sent with the PUT of the bytes. */
  headers: Record<string, string>;
}

export interface OthersBucket {
  /** Orders that the provider may list keys in; negative when the first comes before the second. */
  readonly keyOrders: readonly ((a: string, b: string) => number)[];
  /** One page, which says whether it is the last. */
  list(request: ListRequest): Promise<BucketPage>;
  /** Null when there is no such object. */
  head(key: string): Promise<BucketObject | null>;
  /** Null when there is no such object. Read the body to its end or destroy it. */
  read(key: string, signal?: AbortSignal): Promise<{ object: BucketObject; body: Readable } | null>;
  signedGet(key: string, options: { seconds: number; filename?: string }): Promise<string>;
  signedPut(key: string, options: { seconds: number; contentType?: string; sizeBytes?: number }): Promise<SignedUpload>;
  /** Gives up its connections. */
  close(): void;
}
