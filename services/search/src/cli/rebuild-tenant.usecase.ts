// Rebuilds the index of a tenant by calls to the search service, a batch of files at a time. It stores no progress: an interrupted batch is
// repeated.
import { searchOperations, type RebuiltFile } from '@kiln/contracts';
import { inCalls, type OperatorCalls } from './operator-calls.usecase.js';

const FILES_PER_CALL = 10;

interface RebuiltPage {
  files: RebuiltFile[];
  /** The last file of the batch: a later rebuild can continue after it. */
  last: string;
}

/** Rebuilds all files of the tenant after `after`, in the order of their ids. */
export async function* rebuildTenant(calls: OperatorCalls, after: string | null): AsyncGenerator<RebuiltPage> {
  for await (const ids of calls.indexedPages(after)) {
    yield { files: await rebuildFiles(calls, ids), last: ids.at(-1) ?? '' };
  }
}

/** Rebuilds the files, and returns them in the order of their ids. */
export const rebuildFiles = (calls: OperatorCalls, fileIds: readonly string[]): Promise<RebuiltFile[]> =>
  inCalls(fileIds, FILES_PER_CALL, (ids) => calls.call(searchOperations.rebuildFiles, { file_ids: ids }));
