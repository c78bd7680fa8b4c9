// The footer of a file: its columns, and where their bytes are.
// https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
import { ByteCursor } from './byte-cursor.js';
import { readRange, type ByteSource } from './byte-source.js';
import { columnShapes, type ColumnShape } from './column-shape.js';
import { damaged, unsupported } from './parquet-error.js';
import { readStruct, type ThriftStruct } from './thrift-struct.js';

export interface FileLayout {
  rows: number;
  columns: ReadonlyMap<string, ColumnShape>;
  rowGroups: readonly RowGroup[];
}

export interface RowGroup {
  rows: number;
  chunks: ReadonlyMap<string, ColumnChunk>;
}

/** The values of a column in a row group: one page after the other, the dictionary first. */
export interface ColumnChunk {
  /** Its number in parquet.thrift. */
  codec: number;
  start: number;
  end: number;
}

const MAGIC = Buffer.from('PAR1');
const TAIL_BYTES = 8;
const FOOTER_BYTES_MAX = 4 * 1_024 * 1_024;

/** Throws ParquetError. A file has at least one byte for each row, so a small file cannot claim endless rows. */
export async function readLayout(source: ByteSource): Promise<FileLayout> {
  if (source.size < TAIL_BYTES + MAGIC.length) throw damaged('it is shorter than any Parquet file');
  const tail = await readRange(source, source.size - TAIL_BYTES, TAIL_BYTES);
  if (!tail.subarray(4).equals(MAGIC)) throw damaged('it is no Parquet file, or is cut off');
  const length = tail.readUInt32LE();
  if (length > FOOTER_BYTES_MAX) throw unsupported('the footer is larger than 4 MiB');
  const footer = readStruct(new ByteCursor(await readRange(source, source.size - TAIL_BYTES - length, length)));
  const columns = columnShapes(footer.structs(2));
  const rowGroups = footer.structs(4).map(rowGroupOf);
  const rows = rowGroups.reduce((sum, group) => sum + group.rows, 0);
  if (rows !== footer.count(3)) throw damaged('its row groups have more or fewer rows than the file');
  if (rows > source.size) throw damaged('it has more rows than bytes');
  return { rows, columns, rowGroups };
}

function rowGroupOf(group: ThriftStruct): RowGroup {
  return { rows: group.count(3), chunks: new Map(group.structs(1).map(chunkOf)) };
}

function chunkOf(chunk: ThriftStruct): [string, ColumnChunk] {
  const metadata = chunk.struct(3);
  if (chunk.has(1) || metadata === undefined) throw unsupported('the columns are encrypted, or in other files');
  const path = metadata.list(3).map(String);
  const data = metadata.count(9);
  // Some writers set 0 for no dictionary.
  const dictionary = metadata.integer(11) ?? 0;
  const start = dictionary > 0 ? Math.min(dictionary, data) : data;
  return [path.join('.'), { codec: metadata.count(4), start, end: start + metadata.count(7) }];
}
