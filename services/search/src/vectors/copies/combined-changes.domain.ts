// Combines batches of changes, so that many small files need few writes.
import type { Changes, FileChange } from '../changes.domain.js';

const BYTES_MAX = 4_194_304;
const FILES_MAX = 4_096;

const bytesOf = ({ parts }: FileChange) => parts.reduce((sum, { codes }) => sum + codes.length, 0);

/** Of a file that changed again, the last change remains. A batch that has more than the limits stays as it is. */
export async function* combined(batches: AsyncIterable<Changes>): AsyncGenerator<Changes> {
  let files = new Map<string, FileChange>();
  let bytes = 0;
  let isReset = false;
  let last: Changes | null = null;
  const take = (): Changes => {
    const taken = { isReset, files: [...files.values()], generation: last?.generation ?? 0 };
    [files, bytes, isReset, last] = [new Map(), 0, false, null];
    return taken;
  };
  for await (const batch of batches) {
    const more = batch.files.reduce((sum, file) => sum + bytesOf(file), 0);
    const isFull = bytes + more > BYTES_MAX || files.size + batch.files.length > FILES_MAX;
    if (last !== null && (batch.isReset || isFull)) yield take();
    for (const file of batch.files) files.set(file.fileId, file);
    bytes += more;
    isReset ||= batch.isReset;
    last = batch;
  }
  if (last !== null) yield take();
}
