/** Checks the data of a language when a process starts, so that no document fails because of them later. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Such a file begins with a table: the number of its parts, and where each begins (Tesseract's `TessdataManager`). */
const [countBytes, offsetBytes] = [4, 8];
/** The parts of a recognizer with a neural network, as opposed to that of Tesseract 3. */
const [network, characters] = [17, 21];
/** Tesseract takes a larger number for one of the other byte order. */
const partsMax = 1000;
const readableByOthers = 0o004;

/** Why a file cannot be used, to be written behind its path. Null if it can. */
export function problemOfLanguageData(path: string): string | null {
  try {
    const { size, mode } = statSync(path);
    // The readers of documents then have user ids of their own.
    if (process.getuid?.() === 0 && (mode & readableByOthers) === 0)
      return 'is not readable by other users (chmod o+r)';
    return hasNetwork(path, size) ? null : 'is damaged, or not for Tesseract 4 or 5';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? String(error)})`;
  }
}

function hasNetwork(path: string, size: number): boolean {
  const head = Buffer.alloc(countBytes + (characters + 1) * offsetBytes);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, head, 0, head.length, 0) < head.length) return false;
  } finally {
    closeSync(file);
  }
  const parts = head.readUInt32LE(0);
  return (
    parts > characters &&
    parts <= partsMax &&
    [network, characters].every((part) => {
      const offset = head.readBigInt64LE(countBytes + part * offsetBytes);
      return offset > 0 && offset < size;
    })
  );
}
