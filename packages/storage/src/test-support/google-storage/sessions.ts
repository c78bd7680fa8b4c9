// Resumable uploads: https://cloud.google.com/storage/docs/performing-resumable-uploads
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ApiError } from './api-error.js';
import type { GoogleObject, GoogleObjects } from './objects.js';

const CHUNK_UNIT_BYTES = 256 * 1024;

interface Session {
  bucket: string;
  name: string;
  contentType: string;
  path: string;
  size: number;
}

export class ResumableSessions {
  readonly #open = new Map<string, Session>();
  /** What happens to the next chunks that carry bytes, in order: the connection breaks, or only some bytes are kept. */
  readonly mishaps: ('break' | 'break after storing' | 'keep half')[] = [];

  constructor(private readonly objects: GoogleObjects) {}

  get openCount(): number {
    return this.#open.size;
  }

  async begin(bucket: string, name: string, contentType: string): Promise<string> {
    this.objects.bucket(bucket);
    const path = this.objects.newFile();
    await writeFile(path, '');
    const id = randomUUID();
    this.#open.set(id, { bucket, name, contentType, path, size: 0 });
    return id;
  }

  cancel(id: string): void {
    this.#session(id);
    this.#open.delete(id);
  }

  /** The finished object, or how many bytes the session has. */
  async put(id: string, request: IncomingMessage): Promise<GoogleObject | number> {
    const session = this.#session(id);
    const { start, end, total } = parseRange(request.headers['content-range'] ?? '');
    if (start !== undefined && end !== undefined) await this.#store(session, request, start, end, total);
    if (total === undefined || session.size < total) return session.size;
    if (session.size > total) throw new ApiError(400, 'the total is less than what was sent');
    this.#open.delete(id);
    return this.objects.publish(session.bucket, session.name, session.contentType, session.path);
  }

  async #store(
    session: Session,
    request: IncomingMessage,
    start: number,
    end: number,
    total: number | undefined,
  ): Promise<void> {
    const length = end - start + 1;
    if (start !== session.size) throw new ApiError(400, `the session stands at ${session.size}, not at ${start}`);
    if (Number(request.headers['content-length']) !== length) throw new ApiError(400, 'the length is not the range');
    if (total === undefined && length % CHUNK_UNIT_BYTES !== 0) throw new ApiError(400, 'a chunk of an odd size');
    const mishap = this.mishaps.shift();
    if (mishap === 'break') {
      request.destroy();
      throw new ApiError(500, 'the connection broke');
    }
    const body: Readable = mishap === 'keep half' ? Readable.from(half(request, length)) : request;
    session.size = await this.objects.append(session.path, body);
    if (mishap !== 'break after storing') return;
    request.destroy();
    throw new ApiError(500, 'the connection broke');
  }

  #session(id: string): Session {
    const session = this.#open.get(id);
    if (session === undefined) throw new ApiError(404, 'no such session');
    return session;
  }
}

// A range or `*`, a slash, the total or `*`.
function parseRange(header: string): { start?: number; end?: number; total?: number } {
  const match = /^bytes (?:\*|(\d+)-(\d+))\/(?:\*|(\d+))$/.exec(header);
  if (match === null) throw new ApiError(400, `bad Content-Range: ${header}`);
  const [start, end, total] = match.slice(1).map((digits) => (digits === undefined ? undefined : Number(digits)));
  return {
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(total !== undefined && { total }),
  };
}

async function* half(body: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = Math.floor(length / 2 / CHUNK_UNIT_BYTES) * CHUNK_UNIT_BYTES;
  for await (const piece of body) {
    if (left > 0) yield piece.subarray(0, left);
    left -= piece.length;
  }
}
