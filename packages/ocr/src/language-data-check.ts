/** Checks the data of a language when a process starts, so that a document does not fail later because of it. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** The file begins with a table: the number of its parts, and the position of each (Tesseract's `TessdataManager`). */
const [countBytes, offsetBytes] = [4, 8];
/** The parts of a recognizer with a neural network. Data of Tesseract 3 lack them. */
const [network, characters] = [17, 21];
/** Tesseract takes a larger number for one in the other byte order. */
const partsMax = 1000;
const readableByOthers = 0o004;

/** The reason why a file cannot be used, as text after its path. Null if it can be used. */
export function problemOfLanguageData(path: string): string | null {
  try {
    const { size, mode } = statSync(path);
    // A process of root gives the readers of documents other user ids.
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
