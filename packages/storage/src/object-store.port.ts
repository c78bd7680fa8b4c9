// The port through which services store objects. Every adapter has bounded memory for objects of any size, a deadline for every call, and
// throws StorageError, never a vendor's error.
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
  /** Read it to its end or destroy it. Otherwise its connection is not released. `sizeBytes` is the length of this body. */
  body: Readable;
}

export interface PutOptions {
  contentType: string;
  /** The size, if known. If another number of bytes arrives, nothing is stored. */
  sizeBytes?: number;
  /** An upper bound of the size, if only that is known. It determines the size of parts. */
  sizeBytesMax?: number;
  /** True when nothing else uses the pieces of the stream: their memory is released as soon as they are read. Default false. */
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
  /** `nextCursor` of the previous page. Opaque. Some providers let it expire soon. */
  cursor?: string;
  /** Lists only keys after this one, to continue without a cursor. Repeat it in calls with a cursor. */
  startAfter?: string;
  /** The most objects and prefixes on one page, 1 to 1000. Default 1000. */
  limit?: number;
  /** Keys that contain it after `prefix` are grouped in `prefixes`. */
  delimiter?: string;
  signal?: AbortSignal | undefined;
}

export interface ListedObject {
  key: string;
  sizeBytes: number;
  etag: string;
  lastModified: Date;
  /** The key is that of a directory, which has no bytes. Azure lists directories of a hierarchical namespace among the blobs. */
  isDirectory?: boolean;
  /** The storage class of an object that must be restored before it can be read. */
  archivedIn?: string;
  /** The storage class or access tier, if the store reports it. */
  storageClass?: string;
}

export interface ObjectPage {
  objects: ListedObject[];
  prefixes: string[];
  nextCursor: string | null;
}

export interface UnfinishedUpload {
  key: string;
  uploadId: string;
}

export interface AbortStaleUploadsOptions {
  /** Uploads that began before this time are aborted. */
  olderThan: Date;
  /** Returns the upload ids of those that stay. Is called for each page. Default: none stays. */
  keep?: (uploads: readonly UnfinishedUpload[]) => Promise<ReadonlySet<string>>;
  /** Called after each page of uploads. When it returns false, the others stay. */
  afterPage?: () => Promise<boolean>;
}

export interface SignPutOptions {
  /** Up to 604,800 (seven days). */
  expiresSeconds: number;
  /** If set, the uploader must send exactly this Content-Type. Not every provider enforces it. */
  contentType?: string;
  /** If set, the uploader must send exactly this many bytes. Not every provider enforces it. */
  sizeBytes?: number;
}

export interface SignedPut {
  url: string;
  /** Headers that the uploader must send. Empty for S3 unless a content type was set. */
  headers: Record<string, string>;
}

export interface SignPartOptions extends Pick<SignPutOptions, 'expiresSeconds' | 'sizeBytes'> {
  uploadId: string;
  /** From 1. */
  partNumber: number;
}

export interface StoredPart {
  partNumber: number;
  sizeBytes: number;
  /** Changes when the part is sent again. Null when the provider has no tags of parts. */
  etag: string | null;
}

export interface ListPartsOptions {
  /** Lists only parts with a higher number. Default 0. */
  after?: number;
  /** The most parts on one page, 1 to 1000. Default 1000. */
  limit?: number;
}

export interface PartsPage {
  /** In the order of their numbers. */
  parts: StoredPart[];
  hasMore: boolean;
}

export interface SignGetOptions {
  expiresSeconds: number;
  /** If set, the URL returns this version, or nothing. Not every provider enforces it. */
  etag?: string | undefined;
  /** The filename that a browser offers when it saves the file. Any text is allowed. */
  filename?: string;
  contentType?: string;
  /** Default `attachment` when a filename is set. */
  disposition?: 'inline' | 'attachment';
}

export interface ObjectStore {
  /** Stores a body of any length. When the body fails or is aborted, nothing is stored. */
  put(key: string, body: Readable | Buffer | string, options: PutOptions): Promise<StoredObject>;
  /** The memory that `put` takes for a body of at most this size, if it is not small. */
  putMemoryBytes(sizeBytesMax: number): number;
  /** Opens an object for reading. Throws `not_found` when it does not exist. */
  get(key: string, options?: GetOptions): Promise<ObjectBody>;
  head(key: string): Promise<ObjectHead | null>;
  /** Succeeds when the object does not exist. */
  delete(key: string): Promise<void>;
  /**
   * Deletes any number of keys, in as few requests as the provider allows. Missing keys are ignored. When some keys cannot be deleted, the
   * others are, and a StorageError reports the failure. Repeat the same call then.
   */
  deleteMany(keys: readonly string[]): Promise<void>;
  /** Deletes every key that starts with `prefix`, which must not be empty. Returns how many. */
  deletePrefix(prefix: string): Promise<number>;
  /**
   * Returns one page. A page may have fewer entries than `limit`, even none, without being the last. Throws ListingNotProvenError when the
   * response does not state, as the provider documents it, whether it is the last.
   */
  list(prefix: string, options?: ListOptions): Promise<ObjectPage>;
  /**
   * Aborts unfinished uploads, whose parts the provider would keep and bill. Returns how many. Always 0 when the provider expires them
   * itself.
   */
  abortStaleUploads(options: AbortStaleUploadsOptions): Promise<number>;
  /**
   * Begins an upload in parts, whose bytes others send to signed URLs, and returns its id. Every part but the last has at least 5 MiB. Nothing is
   * visible until it is completed. It ends with `completeParts` or `abortParts`.
   */
  beginParts(key: string): Promise<string>;
  /** Returns a URL that accepts a plain HTTP PUT of a part. Sending a part again replaces it. */
  signPart(key: string, options: SignPartOptions): Promise<SignedPut>;
  /** Throws `not_found` when the upload has ended. Azure returns an empty page. */
  listParts(key: string, uploadId: string, options?: ListPartsOptions): Promise<PartsPage>;
  /**
   * Makes an object of these parts, in the order of their numbers. Throws `not_found` when the upload has ended, and `invalid` when a part is missing, has
   * another tag or is too small. Azure throws `unavailable` in all these cases.
   */
  completeParts(key: string, uploadId: string, parts: readonly StoredPart[]): Promise<void>;
  /** Discards the parts. Does nothing when the upload has ended. */
  abortParts(key: string, uploadId: string): Promise<void>;
  /** Returns a URL that accepts a plain HTTP PUT of the bytes, and the headers that the PUT must have. */
  signPut(key: string, options: SignPutOptions): Promise<SignedPut>;
  signGet(key: string, options: SignGetOptions): Promise<string>;
  /** When the keys that sign URLs expire, and the URLs with them. Null when they do not, or when that is not known. */
  keysExpireAt(): Promise<Date | null>;
  /** Creates the bucket unless it exists. Several processes may call it at once. */
  ensureBucket(): Promise<void>;
  /** A cheap health check. It fails within three seconds. */
  ping(): Promise<void>;
  close(): void;
}
