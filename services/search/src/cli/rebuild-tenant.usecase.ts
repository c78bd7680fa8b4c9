// Rebuilds the index of a tenant by calls to the search service, a batch of files at a time. It stores no progress: an interrupted batch is
// repeated.
import { searchOperations, type RebuiltFile, type TextStore } from '@kiln/contracts';
import { inCalls, indexedPages, operatorContext, type Rpc } from './operator-calls.usecase.js';

const FILES_PER_CALL = 10;

export interface RebuiltPage {
  files: RebuiltFile[];
  /** The last file of the batch: a later rebuild can continue after it. */
  last: string;
}

/** Rebuilds all files of the tenant after `after`, in the order of their ids. */
export async function* rebuildTenant(rpc: Rpc, tenantId: string, after: string | null): AsyncGenerator<RebuiltPage> {
  for await (const ids of indexedPages(rpc, tenantId, after)) {
    yield { files: await rebuildFiles(rpc, tenantId, ids), last: ids.at(-1) ?? '' };
  }
}

/** Files that are written from now on are merged into this store. */
export async function chooseTextStore(rpc: Rpc, tenantId: string, store: TextStore): Promise<void> {
  const { chooseTextStore: operation } = searchOperations;
  await rpc.call(operation, { store }, operatorContext(tenantId, operation));
}

/** Rebuilds the files, and returns them in the order of their ids. */
export function rebuildFiles(rpc: Rpc, tenantId: string, fileIds: readonly string[]): Promise<RebuiltFile[]> {
  const { rebuildFiles: operation } = searchOperations;
  return inCalls(fileIds, FILES_PER_CALL, async (ids) => {
    const { files } = await rpc.call(operation, { file_ids: ids }, operatorContext(tenantId, operation));
    return files;
  });
}
