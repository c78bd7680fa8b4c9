// Asks storage for the bytes of many files at once: a bounded number of questions at a time, and only while somebody waits for
// the answer.
import { sourceKey, unavailable } from '@kiln/contracts';
import { StorageError, type ObjectHead, type ObjectStore } from '@kiln/storage';

const QUESTIONS_AT_A_TIME = 16;
/** What is left for writing down what was found. */
const WRITE_MS = 1_000;

/** What storage holds of each file; no entry for one whose bytes are missing. Throws UNAVAILABLE when it can't be asked in time. */
export async function storedBytes(
  objects: Pick<ObjectStore, 'head'>,
  { tenantId, deadlineAt }: { tenantId: string; deadlineAt: number },
  fileIds: readonly string[],
): Promise<Map<string, ObjectHead>> {
  const found = new Map<string, ObjectHead>();
  const left = [...fileIds];
  const askInTurn = async () => {
    for (let fileId = left.pop(); fileId !== undefined; fileId = left.pop()) {
      if (Date.now() > deadlineAt - WRITE_MS) throw unavailable('Looking up the bytes in the time there is');
      const head = await objects.head(sourceKey(tenantId, fileId));
      if (head) found.set(fileId, head);
    }
  };
  try {
    await Promise.all(Array.from({ length: QUESTIONS_AT_A_TIME }, askInTurn));
  } catch (error) {
    left.length = 0;
    throw error instanceof StorageError ? unavailable('The object store', error) : error;
  }
  return found;
}
