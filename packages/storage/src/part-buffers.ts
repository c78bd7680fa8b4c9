// A pool of buffers for the parts of one upload. Buffers are reused, because allocating a large one costs more than filling it.
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

  /** Call it when the upload has ended. Buffers that were not given back may still be read, and are left to the garbage collector. */
  release(): void {
    for (const buffer of this.#free.splice(0)) releaseMemory(buffer);
    this.#own.clear();
  }

  /** Call it when nothing reads the part any more. The part may be a slice of a buffer, or belong to no buffer of this pool. */
  giveBack(part: Buffer): void {
    if (this.#own.has(part.buffer)) this.#free.push(Buffer.from(part.buffer));
  }
}
