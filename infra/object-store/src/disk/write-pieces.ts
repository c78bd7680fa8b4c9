// Writes the pieces of a body into a file: gathered, since every write is a trip to another thread, and one write ahead, so
// that pieces arrive meanwhile.
import type { Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const WRITE_BYTES = 1024 * 1024;
/** Tiny pieces cost more memory than their bytes. */
const WRITE_PIECES_MAX = 256;

export interface WritePiecesOptions {
  /** Position of the first byte in the file. Default 0. */
  start?: number;
  /** Fed with every piece. */
  hash?: Hash | undefined;
}

/** Answers how many bytes were written. Whether it succeeds or fails: nothing is written any more once it has. */
export async function writePieces(
  handle: FileHandle,
  pieces: AsyncIterable<Buffer>,
  { start = 0, hash }: WritePiecesOptions = {},
): Promise<number> {
  let gathered: Buffer[] = [];
  let gatheredBytes = 0;
  let position = start;
  let writing: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await writing;
    writing = writeAll(handle, gathered, gatheredBytes, position);
    writing.catch(() => undefined); // awaited with the next write, or at the end
    position += gatheredBytes;
    gathered = [];
    gatheredBytes = 0;
  };
  try {
    for await (const piece of pieces) {
      hash?.update(piece);
      gathered.push(piece);
      gatheredBytes += piece.length;
      if (gatheredBytes >= WRITE_BYTES || gathered.length >= WRITE_PIECES_MAX) await flush();
    }
    if (gatheredBytes > 0) await flush();
    await writing;
  } catch (error) {
    await writing.catch(() => undefined);
    throw error;
  }
  return position - start;
}

async function writeAll(handle: FileHandle, pieces: Buffer[], sizeBytes: number, position: number): Promise<void> {
  const { bytesWritten } = await handle.writev(pieces, position);
  if (bytesWritten === sizeBytes) return;
  const rest = Buffer.concat(pieces).subarray(bytesWritten);
  for (let at = 0; at < rest.length;) {
    const written = await handle.write(rest, at, rest.length - at, position + bytesWritten + at);
    at += written.bytesWritten;
  }
}
