// The header of a page: its sizes, and how its values are encoded.
import { ByteCursor } from './byte-cursor.js';
import { readRange, type ByteSource } from './byte-source.js';
import type { ColumnChunk } from './file-layout.js';
import { damaged } from './parquet-error.js';
import { readStruct, type ThriftStruct } from './thrift-struct.js';

export interface PageHeader {
  kind: 'dictionary' | 'data' | 'data v2' | 'other';
  /** Where its bytes begin, after the header. */
  start: number;
  compressedBytes: number;
  bytes: number;
  values: number;
  /** Its number in parquet.thrift. */
  encoding: number;
  /** Of the levels that say which values are there. Pages of version 2 have RLE. */
  levelEncoding: number;
  /** Of a page of version 2: the bytes of the levels before the values, which are not compressed. */
  repetitionBytes: number;
  definitionBytes: number;
  isCompressed: boolean;
}

/** With the least and the greatest value, which are as long as keys. */
const HEADER_BYTES_MAX = 16_384;
export const RLE = 3;
const KINDS = ['data', 'other', 'dictionary', 'data v2'] as const;

export async function readPageHeader(source: ByteSource, position: number, { end }: ColumnChunk): Promise<PageHeader> {
  const cursor = new ByteCursor(await readRange(source, position, Math.min(HEADER_BYTES_MAX, end - position)));
  const header = readStruct(cursor);
  const kind = KINDS[header.count(1)] ?? 'other';
  const start = position + cursor.position;
  const compressedBytes = header.count(3);
  if (start + compressedBytes > end) throw damaged('a page is longer than its column');
  const sizes = { kind, start, compressedBytes, bytes: header.count(2) };
  if (kind === 'data v2') return { ...sizes, ...ofVersion2(partOf(header, 8)) };
  const plain = { repetitionBytes: 0, definitionBytes: 0, isCompressed: true, levelEncoding: RLE };
  if (kind === 'other') return { ...sizes, ...plain, values: 0, encoding: 0 };
  const part = partOf(header, kind === 'data' ? 5 : 7);
  const encoded = { ...sizes, ...plain, values: part.count(1), encoding: part.count(2) };
  return kind === 'data' ? { ...encoded, levelEncoding: part.count(3) } : encoded;
}

function partOf(header: ThriftStruct, field: number): ThriftStruct {
  const part = header.struct(field);
  if (part === undefined) throw damaged('a page does not say what is in it');
  return part;
}

function ofVersion2(part: ThriftStruct) {
  return {
    values: part.count(1),
    encoding: part.count(4),
    levelEncoding: RLE,
    definitionBytes: part.count(5),
    repetitionBytes: part.count(6),
    isCompressed: part.boolean(7) ?? true,
  };
}
