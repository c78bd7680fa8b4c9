// Sends the missing parts of an upload, some of them at a time. URLs are requested shortly before they are used.
import { KilnApiError, KilnConnectionError } from '../core/errors.js';
import type { Schemas } from '../core/operation-types.js';
import type { Transport } from '../core/transport.js';
import { putBytes } from './put-bytes.js';
import type { PartSource } from './source.js';
import type { PartsOptions } from './upload-options.js';

const CONCURRENT_MAX = 4;
const SIGNED_AT_ONCE = 16;
/** The status of a store for a URL that has expired. */
const EXPIRED_STATUS = 403;

type SignedParts = Schemas['SignUploadPartsResponse'];
type SignedPart = SignedParts['parts'][number];

export interface PartsToSend {
  transport: Transport;
  sign: (numbers: number[], signal: AbortSignal) => Promise<SignedParts>;
  source: PartSource;
  upload: { part_bytes: number; part_count: number };
  /** The numbers of the parts that need not be sent. */
  stored: ReadonlySet<number>;
}

/** The first part that cannot be sent ends the others. */
export async function sendParts(parts: PartsToSend, options: PartsOptions): Promise<void> {
  const { signal } = options;
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort, { once: true });
  const sender = new PartsSender(parts, options, controller.signal);
  const work = () =>
    sender.work().catch((error: unknown) => {
      controller.abort(error);
      throw error;
    });
  try {
    await Promise.all(Array.from({ length: CONCURRENT_MAX }, work));
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

class PartsSender {
  readonly #missing: number[];
  readonly #urls = new Map<number, SignedPart>();
  readonly #sentBytes = new Map<number, number>();
  #signing: Promise<void> | undefined;

  constructor(
    private readonly parts: PartsToSend,
    private readonly options: PartsOptions,
    private readonly signal: AbortSignal,
  ) {
    const { upload, stored } = parts;
    const all = Array.from({ length: upload.part_count }, (_, at) => at + 1);
    this.#missing = all.filter((number) => !stored.has(number));
    for (const number of stored) this.#sentBytes.set(number, this.range(number).size);
  }

  async work(): Promise<void> {
    for (let number = this.#missing.shift(); number !== undefined; number = this.#missing.shift()) {
      this.signal.throwIfAborted();
      await this.send(number);
    }
  }

  /** A URL that may have expired is replaced once. A store that refuses a part may close the connection before its response is read. */
  private async send(number: number): Promise<void> {
    try {
      await this.put(number);
    } catch (error) {
      const isRefused = error instanceof KilnApiError && error.code === 'UPLOAD_REFUSED';
      const mayHaveExpired = isRefused ? error.status === EXPIRED_STATUS : error instanceof KilnConnectionError;
      if (!mayHaveExpired || this.signal.aborted) throw error;
      this.#urls.clear();
      await this.put(number);
    }
  }

  private async put(number: number): Promise<void> {
    const { transport, source } = this.parts;
    const { start, size } = this.range(number);
    const { url, headers } = await this.urlOf(number);
    const part = { filename: undefined, sizeBytes: size, open: () => source.slice(start, start + size) };
    const { timeoutMs, deadlineMs, maxRetries, onProgress } = this.options;
    await putBytes(transport, { upload_url: url, upload_headers: headers }, part, {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(deadlineMs !== undefined && { deadlineMs }),
      ...(maxRetries !== undefined && { maxRetries }),
      ...(onProgress && { onProgress: ({ sentBytes }) => this.report(number, sentBytes) }),
      signal: this.signal,
    });
  }

  /** Requests the URLs of the next parts with that of this one. */
  private async urlOf(number: number): Promise<SignedPart> {
    for (;;) {
      const url = this.#urls.get(number);
      this.#urls.delete(number);
      if (url) return url;
      this.#signing ??= this.signNext(number).finally(() => (this.#signing = undefined));
      await this.#signing;
    }
  }

  private async signNext(number: number): Promise<void> {
    const unsigned = this.#missing.filter((other) => !this.#urls.has(other));
    const { parts } = await this.parts.sign([number, ...unsigned.slice(0, SIGNED_AT_ONCE - 1)], this.signal);
    for (const part of parts) this.#urls.set(part.part_number, part);
  }

  private report(number: number, sentBytes: number): void {
    this.#sentBytes.set(number, sentBytes);
    const total = [...this.#sentBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
    this.options.onProgress?.({ sentBytes: total, totalBytes: this.parts.source.sizeBytes });
  }

  private range(number: number): { start: number; size: number } {
    const { part_bytes: bytes } = this.parts.upload;
    const start = (number - 1) * bytes;
    return { start, size: Math.min(bytes, this.parts.source.sizeBytes - start) };
  }
}
