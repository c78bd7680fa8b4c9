import { createReadStream, promises, type ReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { NamedSource } from '../uploads/source.js';

/** A file on disk, for `kiln.files.upload`. It is read while it is sent, and again for each retry. */
export async function fromPath(path: string): Promise<NamedSource> {
  const found = await promises.stat(path);
  if (!found.isFile()) throw new TypeError(`${path} is not a file`);
  return { filename: basename(path), sizeBytes: found.size, open: () => streamOf(createReadStream(path)) };
}

const streamOf = (stream: ReadStream) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
