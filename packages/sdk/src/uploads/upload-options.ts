import type { Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';

/** Stored with the file, or settings of its processing. The name is needed unless the source has one. */
export type UploadFields = Partial<Omit<Schemas['UploadRequest'], 'size_bytes'>>;

export interface UploadProgress {
  sentBytes: number;
  /** Null for a stream. */
  totalBytes: number | null;
}

export interface UploadOptions extends RequestOptions {
  /** Is called while bytes are sent. After a lost connection it begins again at 0. */
  onProgress?: (progress: UploadProgress) => void;
  /** The time of one attempt to send the bytes. Default: 60 seconds, and a second for each 50 kB; an hour for a stream. */
  timeoutMs?: number;
  /** The time of all attempts. Default: that of all their timeouts. */
  deadlineMs?: number;
}

/** Of an upload in parts. Timeouts are those of a part. */
export interface PartsOptions extends UploadOptions {
  /** The size of every part but the last, at least 5 MiB. Default: chosen by Kiln, 16 MiB for most files. */
  partBytes?: number;
  /**
   * Sends a file of any size to Kiln in one request. Use it where the object store cannot be reached, for example in a web page.
   * A source that is neither a `Blob` nor a stream is read into memory first.
   */
  throughKiln?: boolean;
  /** Is called before the first part is sent. Save the id, to resume the upload after the process has ended. */
  onBegin?: (upload: { id: string }) => void;
}

const TIMEOUT_MS_MIN = 60_000;
const BYTES_PER_MS_MIN = 50;
const STREAM_TIMEOUT_MS = 3_600_000;

/** The limits of sending bytes, which take longer than other requests. */
export function sendingLimits({ timeoutMs, deadlineMs, maxRetries, signal }: UploadOptions, sizeBytes: number | null) {
  const longest = sizeBytes === null ? STREAM_TIMEOUT_MS : TIMEOUT_MS_MIN + sizeBytes / BYTES_PER_MS_MIN;
  return { timeoutMs: timeoutMs ?? longest, deadlineMs: deadlineMs ?? Infinity, maxRetries, signal };
}
