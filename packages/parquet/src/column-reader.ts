// Reads a column of a row group, one page at a time.
import { setImmediate } from 'node:timers/promises';
import type { ByteSource } from './byte-source.js';
import type { ColumnShape } from './column-shape.js';
import type { ColumnChunk } from './file-layout.js';
import { dictionaryOf, ENTRY_BYTES, type Dictionary } from './dictionary.js';
import { readPageBytes } from './page-bytes.js';
import { readPageHeader, type PageHeader } from './page-header.js';
import type { PageMemory } from './page-memory.js';
import { valuesOf, type Value } from './page-values.js';
import { damaged } from './parquet-error.js';

/** Other work runs after so many values that are passed over in a page. */
const SKIPPED_AT_A_TIME = 10_000;

export class ColumnReader {
  private position: number;
  private dictionary: Dictionary | null = null;
  private next: () => Value = () => null;
  /** The values of the current page that were not read. */
  private left = 0;

  constructor(
    private readonly source: ByteSource,
    private readonly shape: ColumnShape,
    private readonly chunk: ColumnChunk,
    private readonly memory: PageMemory,
  ) {
    this.position = chunk.start;
  }

  /** Returns how many values can be read from the current page. At least one. */
  async ready(): Promise<number> {
    while (this.left === 0) await this.nextPage(0);
    return this.left;
  }

  /** At most as many as are ready. They hold the bytes of the page, and of the dictionary. */
  read(count: number): Value[] {
    this.left -= count;
    return Array.from({ length: count }, () => this.next());
  }

  /** Pages that are skipped as a whole are not uncompressed. */
  async skip(count: number): Promise<void> {
    let left = count;
    while (left > 0) {
      if (this.left === 0) left -= await this.nextPage(left);
      const skipped = Math.min(left, this.left, SKIPPED_AT_A_TIME);
      for (let at = 0; at < skipped; at += 1) this.next();
      this.left -= skipped;
      left -= skipped;
      if (skipped > 0) await setImmediate();
    }
  }

  /** Begins the next page, or passes over it if it has at most `skippable` values. Returns how many it has passed over. */
  private async nextPage(skippable: number): Promise<number> {
    if (this.position >= this.chunk.end) throw damaged('a column has fewer values than its row group has rows');
    const header = await readPageHeader(this.source, this.position, this.chunk);
    this.position = header.start + header.compressedBytes;
    if (header.kind === 'dictionary') {
      if (this.dictionary !== null) throw damaged('a column has two dictionaries');
      this.dictionary = dictionaryOf(this.shape, header, await this.bytesOf(header));
    } else if (header.kind !== 'other') {
      if (header.values <= skippable) return header.values;
      this.next = valuesOf(this.shape, header, await this.bytesOf(header), this.dictionary);
      this.left = header.values;
    }
    return 0;
  }

  private async bytesOf(header: PageHeader): Promise<Buffer> {
    const isDictionary = header.kind === 'dictionary';
    const entries = isDictionary ? header.values * ENTRY_BYTES : 0;
    this.memory.hold(`${this.shape.name} ${isDictionary}`, header.bytes + entries);
    return readPageBytes(this.source, header, this.chunk.codec);
  }
}
