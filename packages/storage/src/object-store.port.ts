// The port every service stores bytes through. An adapter promises: bounded memory whatever the size, a deadline on every
// call, and a StorageError (never a vendor's error) when something fails.
import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.js';

export interface ObjectHead {
  sizeBytes: number;
  /** Opaque version tag, without quotes. */
  etag: string;
  contentType: string;
  lastModified: Date;
}

export interface ObjectBody extends ObjectHead {
  /** Must be read to its end or destroyed, else its connection stays taken. `sizeBytes` is the length of this body. */
  body: Readable;
}

export interface PutOptions {
  contentType: string;
  /** When known: checked against what really arrived; a mismatch stores nothing. */
  sizeBytes?: number;
  /** When only a bound is known: parts are made large enough for it. */
  sizeBytesMax?: number;
  /** The pieces of the stream are nobody else's: each gives its memory back as soon as it is read. Default false. */
  ownsPieces?: boolean;
  signal?: AbortSignal;
}

export interface StoredObject {
  sizeBytes: number;
  etag: string;
}

export interface GetOptions {
  range?: ByteRange;
  signal?: AbortSignal;
}

export interface ListOptions {
  /** `nextCursor` of the page before; opaque, and short-lived on some providers. */
  cursor?: string;
  /** Only keys after this one: where to go on when there is no cursor any more. Repeat it beside a cursor. */
  startAfter?: string;
  /** Objects plus prefixes on one page, 1 to 1000. Default 1000. */
  limit?: number;
  /** Keys that hold it after `prefix` are rolled up into `prefixes`. */
  delimiter?: string;
  signal?: AbortSignal | undefined;
}

export interface ListedObject {
  key: string;
  sizeBytes: number;
  etag: string;
  lastModified: Date;
}

export interface ObjectPage {
  objects: ListedObject[];
  prefixes: string[];
  nextCursor: string | null;
}

export interface AbortStaleUploadsOptions {
  /** Uploads that began before this moment are given up. */
  olderThan: Date;
}

export interface SignPutOptions {
  /** Up to 604,800 (seven days). */
  expiresSeconds: number;
  /** When given, the uploader must send exactly this Content-Type; where the provider cannot hold it to that, it is asked to. */
  contentType?: string;
  /** When given, the uploader must send exactly this many bytes, where the provider can hold it to that. */
  sizeBytes?: number;
}

export interface SignedPut {
  url: string;
  /** Headers the uploader must send along; empty for S3 unless a content type was given. */
  headers: Record<string, string>;
}

export interface SignGetOptions {
  expiresSeconds: number;
  /** Name offered to the person who saves the file; any text is made safe. */
  filename?: string;
  contentType?: string;
  /** Default `attachment` when a filename is given. */
  disposition?: 'inline' | 'attachment';
}

export interface ObjectStore {
  /** Stores a body of any length; a body that fails or is aborted midway leaves nothing behind. */
  put(key: string, body: Readable | Buffer | string, options: PutOptions): Promise<StoredObject>;
  /** Opens an object for reading. Throws `not_found` when it does not exist. */
  get(key: string, options?: GetOptions): Promise<ObjectBody>;
  head(key: string): Promise<ObjectHead | null>;
  /** Deleting what is not there succeeds. */
  delete(key: string): Promise<void>;
  /**
   * Deletes keys, however many, in as few requests as the provider allows; missing ones are fine. When some could not be
   * deleted, the others are, and a StorageError says so: repeat the same call.
   */
  deleteMany(keys: readonly string[]): Promise<void>;
  /** Deletes every key that starts with `prefix` (which may not be empty); answers how many. */
  deletePrefix(prefix: string): Promise<number>;
  /**
   * One page. It may hold less than `limit`, or nothing, and still not be the last. Throws ListingNotProvenError for an answer that
   * does not say, in the provider's own way, whether it is the last.
   */
  list(prefix: string, options?: ListOptions): Promise<ObjectPage>;
  /**
   * Gives up uploads that were begun and never finished, whose parts the provider keeps and bills unseen; answers how
   * many. Always 0 where the provider expires them by itself.
   */
  abortStaleUploads(options: AbortStaleUploadsOptions): Promise<number>;
  /** A URL that accepts one plain HTTP PUT of the bytes, and what the PUT must say beside them. */
  signPut(key: string, options: SignPutOptions): Promise<SignedPut>;
  signGet(key: string, options: SignGetOptions): Promise<string>;
  /** Creates the bucket unless it exists. Safe to call from several processes at once. */
  ensureBucket(): Promise<void>;
  /** Cheap health probe: fails within three seconds. */
  ping(): Promise<void>;
  close(): void;
}
