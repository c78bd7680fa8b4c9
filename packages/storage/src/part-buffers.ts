// The buffers that the parts of one upload are gathered in, used again and again: memory for a large part costs more to get
// than to fill.
import { releaseMemory } from './release-memory.js';

export class PartBuffers {
  readonly #free: Buffer[] = [];
  readonly #own = new Set<ArrayBufferLike>();

  constructor(readonly partBytes: number) {}

  take(): Buffer {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const buffer = Buffer.allocUnsafeSlow(this.partBytes);
    this.#own.add(buffer.buffer);
    return buffer;
  }

  /** Once the upload is over. Buffers that were not given back may still be read, and are left to the garbage collector. */
  release(): void {
    for (const buffer of this.#free.splice(0)) releaseMemory(buffer);
    this.#own.clear();
  }

  /** Once nobody reads the part any more. It may be a piece of its buffer, or none of ours. */
  giveBack(part: Buffer): void {
    if (this.#own.has(part.buffer)) this.#free.push(Buffer.from(part.buffer));
  }
}
