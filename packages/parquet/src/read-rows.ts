// Reads the rows of a file in batches, column by column. Only the columns that are asked for are read.
import { setImmediate } from 'node:timers/promises';
import type { ByteSource } from './byte-source.js';
import { ColumnReader } from './column-reader.js';
import type { FileLayout, RowGroup } from './file-layout.js';
import { PageMemory } from './page-memory.js';
import type { Value } from './page-values.js';
import { damaged } from './parquet-error.js';

export type { Value } from './page-values.js';

export interface Batch {
  /** How many rows it has. */
  rows: number;
  /** The values of each column, in the order of the names that were given. */
  columns: readonly (readonly Value[])[];
}

const BATCH_ROWS = 1_000;

/**
 * The rows after the first `after`. A batch ends where a page of a column ends, because its values hold their page. Row groups and pages before them are not uncompressed. Other work runs after each batch. Throws
 * ParquetError, also in the middle of the file.
 */
export async function* readRows(
  source: ByteSource,
  layout: FileLayout,
  names: readonly string[],
  after: number,
): AsyncGenerator<Batch> {
  let skipped = 0;
  for (const group of layout.rowGroups) {
    const within = Math.min(after - skipped, group.rows);
    skipped += within;
    if (within < group.rows) yield* rowsOfGroup(source, layout, group, names, within);
  }
}

async function* rowsOfGroup(
  source: ByteSource,
  { columns: shapes }: FileLayout,
  group: RowGroup,
  names: readonly string[],
  after: number,
): AsyncGenerator<Batch> {
  const memory = new PageMemory();
  const readers = names.map((name) => {
    const [shape, chunk] = [shapes.get(name), group.chunks.get(name)];
    if (shape === undefined || chunk === undefined) throw damaged(`it lacks the column ${JSON.stringify(name)}`);
    return new ColumnReader(source, shape, chunk, memory);
  });
  for (const reader of readers) await reader.skip(after);
  for (let left = group.rows - after; left > 0;) {
    let rows = Math.min(BATCH_ROWS, left);
    // One after the other: together they would be uncompressed in one go.
    for (const reader of readers) rows = Math.min(rows, await reader.ready());
    yield { rows, columns: readers.map((reader) => reader.read(rows)) };
    left -= rows;
    await setImmediate();
  }
}
