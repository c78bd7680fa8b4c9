// The uncompressed bytes of a page.
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { readRange, type ByteSource } from './byte-source.js';
import type { PageHeader } from './page-header.js';
import { damaged, unsupported } from './parquet-error.js';
import { snappyUncompress } from './snappy.js';

/** A page is uncompressed in one go, while nothing else runs. */
const PAGE_BYTES_MAX = 8 * 1_024 * 1_024;
/** By the numbers of parquet.thrift. Each stops at `length` bytes. */
const CODECS = new Map<number, (compressed: Buffer, length: number) => Buffer>([
  [0, (bytes) => bytes],
  [1, snappyUncompress],
  [2, (bytes, length) => gunzipSync(bytes, { maxOutputLength: length + 1 })],
  [6, (bytes, length) => zstdDecompressSync(bytes, { maxOutputLength: length + 1 })],
]);

/** The levels of a page of version 2 are not compressed, and stay before its values. */
export async function readPageBytes(source: ByteSource, header: PageHeader, codec: number): Promise<Buffer> {
  if (Math.max(header.compressedBytes, header.bytes) > PAGE_BYTES_MAX) throw unsupported('a page is larger than 8 MiB');
  const uncompress = CODECS.get(codec);
  if (uncompress === undefined) throw unsupported(`the codec ${codec} of its pages is not supported`);
  const stored = await readRange(source, header.start, header.compressedBytes);
  const levels = header.repetitionBytes + header.definitionBytes;
  if (levels > stored.length || levels > header.bytes) throw damaged('a page is shorter than its levels');
  const length = header.bytes - levels;
  const isPlain = !header.isCompressed || length === 0;
  const values = isPlain ? stored.subarray(levels) : attempt(() => uncompress(stored.subarray(levels), length));
  if (values.length !== length && length !== 0) throw damaged('a page has another length than it says');
  return levels === 0 ? values : Buffer.concat([stored.subarray(0, levels), values]);
}

function attempt(uncompress: () => Buffer): Buffer {
  try {
    return uncompress();
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw damaged('a page is not compressed validly');
    throw error;
  }
}
