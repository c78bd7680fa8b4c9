// Node 18 has no `openAsBlob`, so that it cannot be imported by its name.
import * as fs from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { canSendLength } from '../core/runtime.js';
import type { NamedSource } from '../uploads/source.js';

/** A file on disk, for `kiln.files.upload`. It is read while it is sent, and again for each retry. */
export async function fromPath(path: string): Promise<NamedSource> {
  const found = await fs.promises.stat(path);
  if (!found.isFile()) throw new TypeError(`${path} is not a file`);
  return {
    filename: basename(path),
    sizeBytes: found.size,
    open: () => (canSendLength() ? streamOf(fs.createReadStream(path)) : fs.openAsBlob(path)),
    slice: async (start, end) =>
      canSendLength()
        ? streamOf(fs.createReadStream(path, { start, end: end - 1 }))
        : (await fs.openAsBlob(path)).slice(start, end),
  };
}

const streamOf = (stream: fs.ReadStream) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
