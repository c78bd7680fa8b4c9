/** Opens a zip file. Some programs append bytes, such as a line end, when they transfer a file. All readers of documents accept that. */
import { createReadStream } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { fromRandomAccessReader, open, RandomAccessReader, type ZipFile } from 'yauzl';

/** The record at the end (PKWARE APPNOTE 4.3.16): its mark, its length without the comment, and the position of the comment's length. */
const endMark = Buffer.from('PK\x05\x06', 'latin1');
const endBytes = 22;
const commentLengthAt = 20;
const commentBytesMax = 0xffff;
const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true };

export async function openZip(path: string): Promise<ZipFile> {
  const { size, end } = await endOf(path);
  return new Promise((resolve, reject) => {
    const onOpened = (error: Error | null, zip: ZipFile): void => (error === null ? resolve(zip) : reject(error));
    if (end === size) open(path, options, onOpened);
    else fromRandomAccessReader(new ArchiveReader(path), end, options, onOpened);
  });
}

/** The position of the archive's end, or the size of the file if the archive has no end. */
async function endOf(path: string): Promise<{ size: number; end: number }> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, endBytes + commentBytesMax));
    const start = size - tail.length;
    await file.read(tail, 0, tail.length, start);
    const at = tail.lastIndexOf(endMark, tail.length - endBytes);
    const end = at < 0 ? size : start + at + endBytes + tail.readUInt16LE(at + commentLengthAt);
    return { size, end: Math.min(end, size) };
  } finally {
    await file.close();
  }
}

class ArchiveReader extends RandomAccessReader {
  constructor(private readonly path: string) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.path, { start, end: end - 1 });
  }
}
