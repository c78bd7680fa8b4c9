// Uploads an object to Google: in one request, or in a resumable session. The chunks of a session are sent in order, and the last one creates
// the object. https://cloud.google.com/storage/docs/performing-resumable-uploads
import type { PutOptions } from '../object-store.port.js';
import { StorageError } from '../storage.errors.js';
import type { PartsPlan, PartsUpload, UploadProtocol } from '../upload-body.js';
import type { GcsAnswer, GcsRequests } from './gcs-requests.js';
import { tagOf, type ObjectResource } from './gcs-shapes.js';

export const gcsParts: PartsPlan = {
  /** A multiple of 256 KiB, as every chunk but the last must be. */
  partBytes: 8 * 1024 * 1024,
  partsMax: Infinity,
  partsInFlight: 1,
  partsHeld: 1,
};
const ATTEMPTS_MAX = 4;
/** "Resume incomplete": the session expects more chunks. */
const INCOMPLETE = 308;
/** The status of a cancelled session. */
const CANCELLED = 499;

export function gcsUpload(requests: GcsRequests, key: string, { contentType, signal }: PutOptions): UploadProtocol {
  const { uploadUrl: url } = requests;
  return {
    ...gcsParts,
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
        throw new StorageError('unavailable', 'the store returned no upload session', { retryable: true });
      }
      return new GcsPartsUpload(requests, location, signal);
    },
  };
}

class GcsPartsUpload implements PartsUpload {
  /** The newest chunk is sent when the next one arrives: only the last chunk may state the total size. */
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

  /** Sends a whole chunk. After a failure, or when the session stored only a part of it, continues at the offset of the session. */
  async #send(chunk: Buffer, total: string): Promise<GcsAnswer<ObjectResource>> {
    const start = this.#storedBytes;
    for (let attempt = 1; ; attempt += 1) {
      const rest = chunk.subarray(this.#storedBytes - start);
      const answer = await this.#put(rest, `bytes ${this.#rangeOf(rest)}/${total}`).catch((error: unknown) => {
        const worthwhile = error instanceof StorageError && error.retryable && attempt < ATTEMPTS_MAX;
        if (!worthwhile) throw error;
        return this.#put(Buffer.alloc(0), `bytes */${total}`); // asks for the offset of the session
      });
      const done = answer.status !== INCOMPLETE;
      this.#storedBytes = done ? start + chunk.length : storedBytes(answer);
      if (done || (total === '*' && this.#storedBytes === start + chunk.length)) return answer;
      const moved = this.#storedBytes >= start && this.#storedBytes <= start + chunk.length;
      if (!moved || attempt === ATTEMPTS_MAX) {
        throw new StorageError('unavailable', 'the upload session returned an invalid offset', { retryable: true });
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

/** The offset from `Range: bytes=0-524287`. The header is missing while nothing is stored. */
function storedBytes({ headers }: GcsAnswer<unknown>): number {
  const last = /^bytes=0-(\d+)$/.exec(headers['range'] ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}
