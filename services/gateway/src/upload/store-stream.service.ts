// Streams a file into the object store while measuring it: size, SHA-256, and its beginning for the content type. It holds one
// part at a time, whatever the size.
import { CodedError, unavailable } from '@kiln/contracts';
import { SNIFFED_BYTES, sniffContentType } from '@kiln/file-types/sniff-content-type';
import type { ObjectStore } from '@kiln/storage';
import { SMALL_FILE_BYTES } from '../limits/upload-memory.service.js';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

export interface StreamTarget {
  store: Pick<ObjectStore, 'put'>;
  key: string;
  bytesMax: number;
  /** A smaller limit, if the request has announced its length. */
  sizeBytesMax?: number;
  filename: string;
  claimedType: string;
  /** Is called before a file that is not small is stored. It may throw. */
  onLarge?: () => void;
}

export interface StoredStream {
  sizeBytes: number;
  /** Lower-case hexadecimal. */
  sha256: string;
  /** The beginning of the file. */
  head: Buffer;
  /** Determined from the bytes, the file name and the declared type. */
  contentType: string;
}

/** Takes ownership of the chunks of `source`. Throws PAYLOAD_TOO_LARGE, UNAVAILABLE, or the error of the source; nothing is stored then. */
export async function storeStream(source: AsyncIterable<Buffer>, target: StreamTarget): Promise<StoredStream> {
  const measured = new MeasuredStream(source, target.bytesMax, target.onLarge);
  const head = await measured.readHead();
  const { filename, claimedType, store, key } = target;
  const contentType = await sniffContentType({ head, filename, claimed: claimedType });
  try {
    const body = measured.ended ? head : Readable.from(measured.chunks(), { objectMode: false });
    const sizeBytesMax = target.sizeBytesMax ?? target.bytesMax;
    await store.put(key, body, { contentType, sizeBytesMax, ownsPieces: true });
  } catch (error) {
    throw measured.failure ?? unavailable('The object store', error);
  }
  return { ...measured.result(), head, contentType };
}

/** Returns the SHA-256 of a stream, without storing it. Throws PAYLOAD_TOO_LARGE, or the error of the source. */
export async function measureStream(source: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const measured = new MeasuredStream(source, bytesMax);
  for await (const _chunk of measured.chunks());
  return measured.result().sha256;
}

class MeasuredStream {
  /** The error that ended the source. The store's own error is only a consequence of it. */
  failure: unknown = null;
  /** The source was read to its end. */
  ended = false;
  private readonly iterator: AsyncIterator<Buffer>;
  private readonly hash = createHash('sha256');
  private readonly first: Buffer[] = [];
  private sizeBytes = 0;

  constructor(
    source: AsyncIterable<Buffer>,
    private readonly bytesMax: number,
    private readonly onLarge?: () => void,
  ) {
    this.iterator = source[Symbol.asyncIterator]();
  }

  async readHead(): Promise<Buffer> {
    while (this.sizeBytes < SNIFFED_BYTES) {
      const chunk = await this.next();
      if (chunk === null) break;
      this.first.push(chunk);
    }
    return Buffer.concat(this.first).subarray(0, SNIFFED_BYTES);
  }

  async *chunks(): AsyncGenerator<Buffer> {
    yield* this.first.splice(0);
    for (let chunk = await this.next(); chunk !== null; chunk = await this.next()) yield chunk;
  }

  result(): { sizeBytes: number; sha256: string } {
    return { sizeBytes: this.sizeBytes, sha256: this.hash.digest('hex') };
  }

  private async next(): Promise<Buffer | null> {
    try {
      const { done, value } = await this.iterator.next();
      if (done) {
        this.ended = true;
        return null;
      }
      const isSmall = this.sizeBytes <= SMALL_FILE_BYTES;
      this.sizeBytes += value.length;
      if (isSmall && this.sizeBytes > SMALL_FILE_BYTES) this.onLarge?.();
      if (this.sizeBytes > this.bytesMax) throw tooLarge(this.bytesMax);
      this.hash.update(value);
      return value;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

/** Checks the size of bytes that are still to come. */
export function checkClaimedSize({ size_bytes }: { size_bytes?: number | undefined }, bytesMax: number): void {
  if (size_bytes !== undefined && size_bytes > bytesMax) throw tooLarge(bytesMax, 'size_bytes: ');
}

export const tooLarge = (bytesMax: number, path = '') =>
  new CodedError('PAYLOAD_TOO_LARGE', `${path}A file may have at most ${bytesMax} bytes.`);
