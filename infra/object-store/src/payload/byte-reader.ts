// Reads lines and counted bytes from a stream of buffers, with at most one of them in memory.
import { S3Error } from '../s3-errors.js';

const EMPTY = Buffer.alloc(0);

export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = EMPTY;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Reads a line, without its CRLF. */
  async line(bytesMax: number): Promise<string> {
    for (;;) {
      const at = this.#held.indexOf('\r\n');
      if (at >= 0) {
        const text = this.#held.toString('latin1', 0, at);
        this.#held = this.#held.subarray(at + 2);
        return text;
      }
      if (this.#held.length > bytesMax) throw new S3Error('InvalidRequest', 'A chunk header is too long.');
      const next = await this.#source.next();
      if (next.done) throw new S3Error('IncompleteBody');
      this.#held = Buffer.concat([this.#held, next.value]);
    }
  }

  /** Yields exactly `count` bytes, in pieces as they arrive. */
  async *bytes(count: number): AsyncGenerator<Buffer> {
    let missing = count;
    while (missing > 0) {
      if (this.#held.length === 0) {
        const next = await this.#source.next();
        if (next.done) throw new S3Error('IncompleteBody');
        this.#held = next.value;
      }
      const piece = this.#held.subarray(0, missing);
      // The consumer of a whole buffer may release its memory.
      this.#held = piece.length === this.#held.length ? EMPTY : this.#held.subarray(piece.length);
      missing -= piece.length;
      yield piece;
    }
  }

  /** Fails when bytes are left. */
  async end(): Promise<void> {
    if (this.#held.length > 0) throw new S3Error('IncompleteBody', 'Bytes follow the last chunk.');
    const next = await this.#source.next();
    if (!next.done) throw new S3Error('IncompleteBody', 'Bytes follow the last chunk.');
  }
}
