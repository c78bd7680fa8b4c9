// Downloads bytes from an external bucket by a signed URL. Callers name the hosts of such buckets, so the outbound policy checks each
// connection, and redirects are not followed.
import { ExtractionError } from '@kiln/extraction';
import { connectionFailureOf, type ConnectionFailureKind } from '@kiln/outbound';
import { retryAfterSeconds } from '@kiln/resilience';
import { Transform, type Readable } from 'node:stream';
import { request, type Dispatcher } from 'undici';
import { answeredBusy, brokenOff, refusedBy, tooSlow, unreachable } from './bucket-failure.errors.js';

export interface Downloaded {
  body: Readable;
  /** The version of these bytes, without quotes. */
  etag: string;
  /** Null when the store does not report it. */
  sizeBytes: number | null;
}

export interface SignedSource {
  url: string;
  /** The name of the bucket, for messages. */
  bucket: string;
  /** The response header with the version. */
  etagHeader: string;
}

/** For the response to begin, and between two parts of its body. */
const SILENCE_MS = 30_000;
/** A whole body may take so long, and more time by what has arrived. */
const BODY_MS = 60_000;
const BYTES_PER_MS_MIN = 250;
const NOT_READABLE =
  'The object can no longer be read from the bucket. Test and sync the connection, then process the file again.';
/** Failures of established connections. */
const BROKEN_OFF = new Set<ConnectionFailureKind | undefined>(['closed', 'answer_timeout']);

/** Codes of AWS and Azure. */
const ARCHIVED = new Set(['InvalidObjectState', 'BlobArchived', 'BlobBeingRehydrated']);
/** Errors of stores are short, and arrive at once. */
const ERROR_BYTES_MAX = 4_096;
const ERROR_MS = 5_000;

/** `"abc"` and `W/"abc"` → `abc`. */
const withoutQuotes = (etag: string) => etag.replace(/^W\//, '').replaceAll('"', '');

export class BucketDownload {
  /** `errorMs`: for the body of an error. */
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly errorMs = ERROR_MS,
  ) {}

  /** Throws ExtractionError for a fault of the object, BucketFailureError for a fault of the bucket, also while the body is read. */
  async open({ url, bucket, etagHeader }: SignedSource, signal: AbortSignal): Promise<Downloaded> {
    const { statusCode, headers, body } = await this.get(url, bucket, signal);
    // A caller that abandons the body destroys it. That stream error needs no handling.
    body.on('error', () => undefined);
    if (statusCode !== 200) {
      const code = await errorCodeIn(body, this.errorMs);
      if (statusCode === 429 || statusCode >= 500) {
        throw answeredBusy(bucket, statusCode, retryAfterSeconds(headers));
      }
      const isArchived = ARCHIVED.has(code);
      if (isArchived || statusCode === 401 || statusCode === 403) throw refusedBy(bucket, isArchived);
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
      throw BROKEN_OFF.has(connectionFailureOf(error)?.kind) ? brokenOff(bucket, error) : unreachable(bucket, error);
    }
  }
}

/** The code in an error of a store, which is XML. Empty without one. */
async function errorCodeIn(body: Readable, withinMs: number): Promise<string> {
  let text = '';
  const timer = setTimeout(() => body.destroy(), withinMs);
  try {
    for await (const piece of body) {
      text += String(piece);
      if (text.length >= ERROR_BYTES_MAX) break;
    }
  } catch {
    // The status alone decides.
  } finally {
    clearTimeout(timer);
  }
  return /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? '';
}

/** The same bytes. An error while they arrive is a fault of the bucket, and so is a rate below the minimum. */
function withFaultsOf(bucket: string, body: Readable): Readable {
  let bytes = 0;
  const passed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const checkRate = () => {
    const leftMs = startedAt + BODY_MS + bytes / BYTES_PER_MS_MIN - performance.now();
    if (leftMs <= 0) passed.destroy(tooSlow(bucket));
    else timer = setTimeout(checkRate, Math.ceil(leftMs));
  };
  checkRate();
  body.on('error', (error) => passed.destroy(brokenOff(bucket, error)));
  passed.on('error', () => undefined);
  passed.on('close', () => {
    clearTimeout(timer);
    body.destroy();
  });
  return body.pipe(passed);
}
