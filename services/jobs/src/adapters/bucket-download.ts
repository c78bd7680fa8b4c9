// Bytes that lie in somebody else's bucket, read by a signed URL. Callers name the hosts of such buckets, so the connection goes
// where the outbound policy lets it, and redirects are not followed.
import { ExtractionError } from '@kiln/extraction';
import { StorageError } from '@kiln/storage';
import type { Readable } from 'node:stream';
import { request, type Dispatcher } from 'undici';

export interface Downloaded {
  body: Readable;
  /** The version of these bytes, without quotes. */
  etag: string;
  /** Null when the store does not say. */
  sizeBytes: number | null;
}

/** Until the answer begins, and between two pieces of it. */
const SILENCE_MS = 30_000;
const UNREACHABLE =
  'The workers of this installation can not reach the bucket. Ask its operator to let them (KILN_OUTBOUND_PROXY, KILN_OUTBOUND_ALLOW), then retry.';
const NOT_READABLE =
  'The object can no longer be read from the bucket. Test and sync the connection, then process the file again.';

/**
 * The bucket, which the connections service has reached just now, can't be reached from here: the worker has no way out, or may not
 * go there. Tried three times, as a provider is; waiting any longer would not help, and its message says what would.
 */
export class BucketUnreachableError extends Error {
  readonly code = 'provider_unavailable';
  readonly fault = 'unreachable';
  readonly retryable = true;
  readonly transient = true;
  readonly wasAsked = true;
  readonly retryAfterSeconds = null;

  constructor(cause: unknown) {
    super(UNREACHABLE, { cause });
    this.name = 'BucketUnreachableError';
  }
}

/** `"abc"` and `W/"abc"` → `abc`. */
const withoutQuotes = (etag: string) => etag.replace(/^W\//, '').replaceAll('"', '');

export class BucketDownload {
  constructor(private readonly dispatcher: Dispatcher) {}

  /** Throws the object's own fault as ExtractionError, that of a busy store as StorageError, and BucketUnreachableError. */
  async open(url: string, etagHeader: string, signal: AbortSignal): Promise<Downloaded> {
    const { statusCode, headers, body } = await this.get(url, signal);
    // Whoever gives a body up destroys it, which is an error of the stream that nobody else hears.
    body.on('error', () => undefined);
    if (statusCode !== 200) {
      body.destroy();
      if (statusCode === 429 || statusCode >= 500)
        throw new StorageError('unavailable', `the bucket answered ${statusCode}`);
      throw new ExtractionError('corrupt_file', NOT_READABLE);
    }
    const { [etagHeader]: etag, 'content-length': length } = headers;
    return {
      body,
      etag: withoutQuotes(String(etag ?? '')),
      sizeBytes: typeof length === 'string' ? Number(length) : null,
    };
  }

  private async get(url: string, signal: AbortSignal) {
    const { dispatcher } = this;
    try {
      return await request(url, { dispatcher, signal, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS });
    } catch (error) {
      if (signal.aborted) throw error;
      throw new BucketUnreachableError(error);
    }
  }
}
