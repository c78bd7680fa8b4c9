// Page-aligned memory for direct writes. Node does not align Buffers, but the memory of WebAssembly is always aligned to pages. It is
// allocated with the first large part, and then kept.

/** The part of the API that is used here: https://webassembly.github.io/spec/js-api/#memories */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

const PAGE_BYTES = 64 * 1024;
const BLOCK_BYTES = 1024 * 1024;
const BLOCKS_MAX = 16;

export type BlockPair = [Buffer, Buffer];

export class AlignedBlocks {
  #free: Buffer[] | undefined;

  /** Returns undefined when all blocks are in use. */
  takePair(): BlockPair | undefined {
    this.#free ??= allocate();
    const [first, second] = this.#free;
    if (first === undefined || second === undefined) return undefined;
    this.#free.splice(0, 2);
    return [first, second];
  }

  giveBack(pair: BlockPair): void {
    this.#free?.unshift(...pair);
  }
}

function allocate(): Buffer[] {
  const pages = (BLOCKS_MAX * BLOCK_BYTES) / PAGE_BYTES;
  const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages });
  return Array.from({ length: BLOCKS_MAX }, (_, at) => Buffer.from(buffer, at * BLOCK_BYTES, BLOCK_BYTES));
}
