import { damaged } from './parquet-error.js';

/** Where the bytes of a file are. */
export interface ByteSource {
  /** The bytes of the file. */
  readonly size: number;
  /** Returns fewer bytes only at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
}

/** Throws when the range is not in the file. */
export async function readRange(source: ByteSource, position: number, length: number): Promise<Buffer> {
  if (position < 0 || length < 0 || position + length > source.size) throw damaged('an offset is outside of the file');
  const bytes = await source.read(position, length);
  if (bytes.length !== length) throw damaged('it is cut off');
  return bytes;
}
