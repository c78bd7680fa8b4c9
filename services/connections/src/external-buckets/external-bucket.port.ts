// A bucket outside Kiln, at any provider. Every failure throws a BucketError.
import type { Readable } from 'node:stream';

export interface BucketObject {
  key: string;
  sizeBytes: number;
  /** An opaque value that changes when the bytes change. Without an ETag, the time of the last change. */
  etag: string;
  lastModified: Date;
  /** Null in listings, which do not contain it. */
  contentType: string | null;
  /** A directory without bytes; its key has no slash at the end. Only in listings. */
  isDirectory?: boolean;
  /** The storage class of an object that must be restored before it can be read. Only in listings. */
  archivedIn?: string;
  /** The storage class or access tier, if the provider reports it. Only in listings. */
  storageClass?: string;
}

export interface ListRequest {
  /** Lists only keys that start with it. Empty: all. */
  prefix: string;
  /** `next` of the previous page. It is valid for at least a day. */
  cursor?: string | undefined;
  /** Lists only keys after this one, in the order of UTF-8. It is repeated with each cursor. */
  startAfter?: string | undefined;
  /** Keys that contain it after `prefix` are grouped in `prefixes`. */
  delimiter?: string | undefined;
  /** 1 to 1,000. A page may contain fewer objects, or none, without being the last. */
  limit: number;
  signal?: AbortSignal | undefined;
}

export interface BucketPage {
  objects: BucketObject[];
  /** Empty without a delimiter. */
  prefixes: string[];
  next: string | null;
}

export interface SignedUrl {
  url: string;
  /** At most the seconds that were requested. Fewer when the keys that sign the URL expire earlier. */
  expiresInSeconds: number;
}

export interface OwnUrl {
  url: string;
  holdsCredentials: boolean;
}

export interface SignedUpload extends SignedUrl {
  /** Headers that must be sent with the PUT. */
  headers: Record<string, string>;
}

export interface UrlAnswer {
  status: number;
  text: string;
}

export interface ExternalBucket {
  /** The key orders that the provider documents, as comparison functions. */
  readonly keyOrders: readonly ((a: string, b: string) => number)[];
  /** One page. `next` is null for the last. */
  list(request: ListRequest): Promise<BucketPage>;
  /** Null when the object does not exist. */
  head(key: string): Promise<BucketObject | null>;
  /** Null when the object does not exist. The caller reads the body to its end or destroys it. */
  read(key: string, signal?: AbortSignal): Promise<{ object: BucketObject; body: Readable } | null>;
  /** A URL for requests of Kiln. No one outside of Kiln may get it if it contains the credentials of the bucket. */
  ownUrl(key: string): Promise<OwnUrl>;
  /** Refused with a shared access signature. */
  signedGet(key: string, options: { seconds: number; filename?: string }): Promise<SignedUrl>;
  /** Refused with a shared access signature. */
  signedPut(key: string, options: { seconds: number; contentType?: string; sizeBytes?: number }): Promise<SignedUpload>;
  /** The region that the provider reports for the bucket, when it is not the one that signs. It may be reported although requests fail. */
  otherRegion(): Promise<string | null>;
  /** Sends a GET for one byte to a signed URL, as its users do. Returns the status and the beginning of the body. */
  tryUrl(url: string): Promise<UrlAnswer>;
  close(): void;
}
