// Writes large parts to the disk without the page cache (O_DIRECT). The kernel neither copies them nor allocates memory for them. When a
// write ends, the disk has the bytes, and only the metadata of the file system still needs a sync.
import { randomUUID, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseMemory } from '../release-memory.js';
import { AlignedBlocks, type BlockPair } from './aligned-blocks.js';

/** At least the sector size of any disk. Positions and lengths must be multiples of it. */
export const SECTOR_BYTES = 4096;
/** Linux only. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | ((constants.O_DIRECT as number | undefined) ?? 0);

export class DirectIo {
  readonly #blocks = new AlignedBlocks();

  /** Returns undefined when the file system of the folder does not support direct writes. */
  static async in(folder: string): Promise<DirectIo | undefined> {
    const path = join(folder, `${randomUUID()}.tmp`);
    try {
      const direct = new DirectIo();
      await direct.write(path, 0, oneByte());
      return direct;
    } catch {
      return undefined;
    } finally {
      await rm(path, { force: true });
    }
  }

  /**
   * Writes pieces to a file from `start` on, then zeros up to the end of the last sector, and releases the memory of the pieces. Creates the
   * file when it is missing. Returns how many bytes the pieces had, or undefined, without reading or writing, when all memory for direct
   * writes is in use.
   */
  async write(path: string, start: number, pieces: AsyncIterable<Buffer>, hash?: Hash): Promise<number | undefined> {
    const pair = this.#blocks.takePair();
    if (pair === undefined) return undefined;
    try {
      const handle = await open(path, FLAGS, 0o600);
      try {
        return await new DirectWrite(handle, pair, start).run(pieces, hash);
      } finally {
        await handle.close();
      }
    } finally {
      this.#blocks.giveBack(pair);
    }
  }
}

/** One block is written while the other is filled. */
class DirectWrite {
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly handle: FileHandle,
    private readonly blocks: BlockPair,
    private position: number,
  ) {}

  async run(pieces: AsyncIterable<Buffer>, hash: Hash | undefined): Promise<number> {
    const start = this.position;
    try {
      for await (const piece of pieces) {
        hash?.update(piece);
        for (let taken = 0; taken < piece.length;) {
          const copied = piece.copy(this.blocks[0], this.#filled, taken);
          this.#filled += copied;
          taken += copied;
          if (this.#filled === this.blocks[0].length) await this.#flush();
        }
        releaseMemory(piece);
      }
      if (this.#filled > 0) await this.#flush();
      await this.#writing;
    } catch (error) {
      await this.#writing.catch(() => undefined);
      throw error;
    }
    return this.position - start;
  }

  async #flush(): Promise<void> {
    await this.#writing;
    const [full, empty] = this.blocks;
    const sizeBytes = Math.ceil(this.#filled / SECTOR_BYTES) * SECTOR_BYTES;
    full.fill(0, this.#filled, sizeBytes);
    this.#writing = writeAll(this.handle, full.subarray(0, sizeBytes), this.position);
    this.#writing.catch(() => undefined); // awaited with the next write, or at the end
    this.position += this.#filled;
    this.#filled = 0;
    this.blocks.splice(0, 2, empty, full);
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    at += (await handle.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
}

async function* oneByte(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(1);
}
