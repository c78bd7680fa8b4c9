// Notifies a webhook of new objects, in S3's event format. Notifications never delay a request: they wait in a bounded queue, are sent in small
// batches, retried a few times, and then dropped and counted. So consumers must also poll.
import { percentEncode, toByteString } from './byte-string.js';
import type { Metrics } from './metrics.js';

export interface NotifyTarget {
  url: string;
  /** Sent as `Authorization: Bearer <token>`. */
  token?: string;
  /** Default `all`. With `signed-url`, objects that were stored with the access key are not reported. */
  of?: 'all' | 'signed-url';
}

export type ArrivalName = 'ObjectCreated:Put' | 'ObjectCreated:Copy' | 'ObjectCreated:CompleteMultipartUpload';

export interface Arrival {
  eventName: ArrivalName;
  by: 'key' | 'signed-url';
  bucket: string;
  key: string;
  sizeBytes: number;
  etag: string;
  timeMs: number;
}

const QUEUE_MAX = 10_000;
const BATCH_MAX = 100;
/** Long enough to batch a burst in one request, short enough not to be noticed. */
const BATCH_WAIT_MS = 20;
const ATTEMPTS_MAX = 5;
const BACK_OFF_FIRST_MS = 250;
const POST_TIMEOUT_MS = 5_000;

export class Notifications {
  readonly #target: NotifyTarget | undefined;
  readonly #metrics: Metrics;
  readonly #queue: Arrival[] = [];
  readonly #stop = new AbortController();
  #sending: Promise<void> | undefined;

  constructor(target: NotifyTarget | undefined, metrics: Metrics) {
    this.#target = target;
    this.#metrics = metrics;
  }

  arrived(arrival: Arrival): void {
    const target = this.#target;
    if (target === undefined || this.#stop.signal.aborted) return;
    if (target.of === 'signed-url' && arrival.by !== 'signed-url') return;
    if (this.#queue.length >= QUEUE_MAX) {
      this.#count('dropped', 1);
      return;
    }
    this.#queue.push(arrival);
    this.#sending ??= this.#sendAll(target).finally(() => {
      this.#sending = undefined;
    });
  }

  /** Sends what is queued for at most `withinMs`. */
  async close(withinMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), withinMs);
    await this.#sending;
    clearTimeout(timer);
    this.#stop.abort();
  }

  async #sendAll(target: NotifyTarget): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#pause(BATCH_WAIT_MS);
      const batch = this.#queue.splice(0, BATCH_MAX);
      await this.#sendBatch(target, batch);
    }
  }

  async #sendBatch(target: NotifyTarget, batch: readonly Arrival[]): Promise<void> {
    const body = JSON.stringify({ Records: batch.map(recordOf) });
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && !this.#stop.signal.aborted; attempt += 1) {
      if (attempt > 1) {
        this.#count('retried', batch.length);
        await this.#pause(BACK_OFF_FIRST_MS * 2 ** (attempt - 2));
      }
      if (await this.#post(target, body)) {
        this.#count('sent', batch.length);
        return;
      }
    }
    this.#count('dropped', batch.length);
  }

  async #post({ url, token }: NotifyTarget, body: string): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        redirect: 'error',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        signal: AbortSignal.any([AbortSignal.timeout(POST_TIMEOUT_MS), this.#stop.signal]),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }

  #pause(durationMs: number): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, durationMs);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #count(outcome: string, amount: number): void {
    this.#metrics.add('kiln_store_notifications_total', amount, { outcome });
  }
}

/** Amazon S3 user guide, "Event message structure"; the key is URL-encoded with `+` for a space. */
function recordOf({ eventName, bucket, key, sizeBytes, etag, timeMs }: Arrival): object {
  return {
    eventVersion: '2.1',
    eventSource: 'kiln:s3',
    eventTime: new Date(timeMs).toISOString(),
    eventName,
    s3: {
      s3SchemaVersion: '1.0',
      bucket: { name: bucket },
      object: {
        key: percentEncode(toByteString(key), '/').replaceAll('%20', '+'),
        size: sizeBytes,
        eTag: etag,
      },
    },
  };
}
