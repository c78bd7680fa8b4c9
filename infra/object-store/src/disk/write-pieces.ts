// Writes the pieces of a body to a file. Pieces are collected, since every write is asynchronous, and collected further while a write runs.
import type { Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const WRITE_BYTES = 1024 * 1024;
/** Tiny pieces cost more memory than their bytes. */
const WRITE_PIECES_MAX = 256;

export interface WritePiecesOptions {
  /** The position of the first byte in the file. Default 0. */
  start?: number;
  /** Receives every piece. */
  hash?: Hash | undefined;
}

/** Returns how many bytes were written. When it resolves or rejects, no write is running any more. */
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
