// How Google takes an object: one request, or a resumable session, whose chunks follow each other and whose last one makes
// the object. https://cloud.google.com/storage/docs/performing-resumable-uploads
import type { PutOptions } from '../object-store.port.js';
import { StorageError } from '../storage.errors.js';
import type { PartsUpload, UploadProtocol } from '../upload-body.js';
import type { GcsAnswer, GcsRequests } from './gcs-requests.js';
import { tagOf, type ObjectResource } from './gcs-shapes.js';

/** A multiple of 256 KiB, as every chunk but the last must be. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const ATTEMPTS_MAX = 4;
/** "Resume incomplete": the session wants more. */
const INCOMPLETE = 308;
/** Answered to the cancelling of a session. */
const CANCELLED = 499;

export function gcsUpload(requests: GcsRequests, key: string, { contentType, signal }: PutOptions): UploadProtocol {
  const { uploadUrl: url } = requests;
  return {
    partBytes: CHUNK_BYTES,
    partsMax: Infinity,
    partsInFlight: 1,
    partsHeld: 1,
    async putWhole(body) {
      const params = { uploadType: 'media', name: key };
      const headers = { 'Content-Type': contentType };
      const put = { method: 'POST', url, params, headers, body, signal } as const;
      return tagOf((await requests.json<ObjectResource>(`putting ${key}`, put)).data);
    },
    async begin() {
      const params = { uploadType: 'resumable', name: key };
      const headers = { 'X-Upload-Content-Type': contentType };
      const answer = await requests.json('starting the upload', { method: 'POST', url, params, headers, signal });
      const { location } = answer.headers;
      if (location === undefined) {
        throw new StorageError('unavailable', 'the store gave no upload session', { retryable: true });
      }
      return new GcsPartsUpload(requests, location, signal);
    },
  };
}

class GcsPartsUpload implements PartsUpload {
  /** The newest chunk waits for its successor: only the last one may name the total. */
  #waiting: Buffer = Buffer.alloc(0);
  #storedBytes = 0;

  constructor(
    private readonly requests: GcsRequests,
    private readonly session: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async sendPart(_partNumber: number, part: Buffer): Promise<void> {
    const chunk = this.#waiting;
    this.#waiting = part;
    if (chunk.length > 0) await this.#send(chunk, '*');
  }

  async complete(): Promise<string> {
    const totalBytes = this.#storedBytes + this.#waiting.length;
    const answer = await this.#send(this.#waiting, String(totalBytes));
    return tagOf(answer.data);
  }

  async abandon(): Promise<void> {
    await this.requests
      .json('abandoning the upload', { method: 'DELETE', url: this.session, accepts: [CANCELLED] })
      .catch(() => undefined);
  }

  /** Sends a chunk to its end; after a failure, or when the session took only some of it, from where the session stands. */
  async #send(chunk: Buffer, total: string): Promise<GcsAnswer<ObjectResource>> {
    const start = this.#storedBytes;
    for (let attempt = 1; ; attempt += 1) {
      const rest = chunk.subarray(this.#storedBytes - start);
      const answer = await this.#put(rest, `bytes ${this.#rangeOf(rest)}/${total}`).catch((error: unknown) => {
        const worthwhile = error instanceof StorageError && error.retryable && attempt < ATTEMPTS_MAX;
        if (!worthwhile) throw error;
        return this.#put(Buffer.alloc(0), `bytes */${total}`); // asks where the session stands
      });
      const done = answer.status !== INCOMPLETE;
      this.#storedBytes = done ? start + chunk.length : storedBytes(answer);
      if (done || (total === '*' && this.#storedBytes === start + chunk.length)) return answer;
      const moved = this.#storedBytes >= start && this.#storedBytes <= start + chunk.length;
      if (!moved || attempt === ATTEMPTS_MAX) {
        throw new StorageError('unavailable', 'the upload session lost its place', { retryable: true });
      }
    }
  }

  #rangeOf(rest: Buffer): string {
    return rest.length === 0 ? '*' : `${this.#storedBytes}-${this.#storedBytes + rest.length - 1}`;
  }

  #put(body: Buffer, range: string): Promise<GcsAnswer<ObjectResource>> {
    return this.requests.json<ObjectResource>(`uploading ${range}`, {
      method: 'PUT',
      url: this.session,
      headers: { 'Content-Range': range, 'Content-Type': 'application/octet-stream' },
      body,
      accepts: [INCOMPLETE],
      signal: this.signal,
      retry: false,
    });
  }
}

/** From `Range: bytes=0-524287`, which is missing while nothing is stored. */
function storedBytes({ headers }: GcsAnswer<unknown>): number {
  const last = /^bytes=0-(\d+)$/.exec(headers['range'] ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}
