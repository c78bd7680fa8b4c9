// Looks up the bytes of many files in storage, a bounded number at a time, and only until the caller's deadline.
import { unavailable } from '@kiln/contracts';
import { StorageError, type ObjectHead, type ObjectStore } from '@kiln/storage';
import { sourceKeyOf, type StoredFileKey } from '../files/file.rows.js';

const LOOK_UPS_AT_A_TIME = 16;
/** Time reserved for writing the results. */
const WRITE_MS = 1_000;

/** Returns what storage holds of each file whose bytes exist. Throws UNAVAILABLE when the deadline is too close. */
export async function storedBytes(
  objects: Pick<ObjectStore, 'head'>,
  { deadlineAt }: { deadlineAt: number },
  files: readonly StoredFileKey[],
): Promise<Map<string, ObjectHead>> {
  const found = new Map<string, ObjectHead>();
  const left = [...files];
  const lookUp = async () => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      if (Date.now() > deadlineAt - WRITE_MS) throw unavailable('Looking up the bytes in the time there is');
      const head = await objects.head(sourceKeyOf(file));
      if (head) found.set(file.id, head);
    }
  };
  try {
    await Promise.all(Array.from({ length: LOOK_UPS_AT_A_TIME }, lookUp));
  } catch (error) {
    left.length = 0;
    throw error instanceof StorageError ? unavailable('The object store', error) : error;
  }
  return found;
}
