// Bytes that lie in somebody else's bucket, read by a signed URL. Callers name the hosts of such buckets, so the connection goes
// where the outbound policy lets it, and redirects are not followed.
import { ExtractionError } from '@kiln/extraction';
import { retryAfterSeconds } from '@kiln/extraction/retry-after';
import { PassThrough, type Readable } from 'node:stream';
import { request, type Dispatcher } from 'undici';
import { answeredBusy, brokenOff, unreachable } from './bucket-failure.js';

export interface Downloaded {
  body: Readable;
  /** The version of these bytes, without quotes. */
  etag: string;
  /** Null when the store does not say. */
  sizeBytes: number | null;
}

export interface SignedSource {
  url: string;
  /** The name of the bucket, for messages. */
  bucket: string;
  /** The header of the answer that names the version. */
  etagHeader: string;
}

/** Until the answer begins, and between two pieces of it. */
const SILENCE_MS = 30_000;
const NOT_READABLE =
  'The object can no longer be read from the bucket. Test and sync the connection, then process the file again.';
/** Of connections that were made and then lost. */
const BROKEN_OFF = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** `"abc"` and `W/"abc"` → `abc`. */
const withoutQuotes = (etag: string) => etag.replace(/^W\//, '').replaceAll('"', '');

export class BucketDownload {
  constructor(private readonly dispatcher: Dispatcher) {}

  /** Throws the object's own fault as ExtractionError, and that of the bucket, also while the body is read, as BucketFailureError. */
  async open({ url, bucket, etagHeader }: SignedSource, signal: AbortSignal): Promise<Downloaded> {
    const { statusCode, headers, body } = await this.get(url, bucket, signal);
    // Whoever gives a body up destroys it, which is an error of the stream that needs no handling.
    body.on('error', () => undefined);
    if (statusCode !== 200) {
      body.destroy();
      if (statusCode === 429 || statusCode >= 500) {
        throw answeredBusy(bucket, statusCode, retryAfterSeconds(headers));
      }
      throw new ExtractionError('corrupt_file', NOT_READABLE);
    }
    const { [etagHeader]: etag, 'content-length': length } = headers;
    return {
      body: withFaultsOf(bucket, body),
      etag: withoutQuotes(String(etag ?? '')),
      sizeBytes: typeof length === 'string' ? Number(length) : null,
    };
  }

  private async get(url: string, bucket: string, signal: AbortSignal) {
    const { dispatcher } = this;
    try {
      return await request(url, { dispatcher, signal, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS });
    } catch (error) {
      if (signal.aborted) throw error;
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      throw BROKEN_OFF.has(code) ? brokenOff(bucket, error) : unreachable(bucket, error);
    }
  }
}

/** The same bytes; what breaks their arrival is the fault of the bucket. */
function withFaultsOf(bucket: string, body: Readable): Readable {
  const passed = new PassThrough();
  body.on('error', (error) => passed.destroy(brokenOff(bucket, error)));
  passed.on('error', () => undefined);
  passed.on('close', () => body.destroy());
  return body.pipe(passed);
}
