// Rebuilds the index of a tenant by calls to the search service, a batch of files at a time. It stores no progress: an interrupted batch is
// repeated.
import {
  filesOperations,
  modeOf,
  searchOperations,
  type CallContext,
  type Operation,
  type RebuiltFile,
} from '@kiln/contracts';
import type { RpcClient } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';

const FILES_PER_PAGE = 200;
const FILES_PER_CALL = 10;
/** The processes of the service share the calls. */
const CALLS_IN_FLIGHT = 4;

export interface RebuiltPage {
  files: RebuiltFile[];
  /** The last file of the batch: a later rebuild can continue after it. */
  last: string;
}

type Rpc = Pick<RpcClient, 'call'>;

const contextOf = (tenantId: string, { timeoutMs }: Operation): CallContext => ({
  requestId: uuidv7(),
  tenantId,
  mode: modeOf(tenantId),
  principal: 'operator',
  deadlineAt: Date.now() + timeoutMs,
});

/** Rebuilds all files of the tenant after `after`, in the order of their ids. */
export async function* rebuildTenant(rpc: Rpc, tenantId: string, after: string | null): AsyncGenerator<RebuiltPage> {
  const list = filesOperations.listIndexedFiles;
  for (let last = after; ;) {
    const page = await rpc.call(list, { after: last, limit: FILES_PER_PAGE }, contextOf(tenantId, list));
    last = page.file_ids.at(-1) ?? null;
    if (last === null) return;
    yield { files: await rebuildFiles(rpc, tenantId, page.file_ids), last };
  }
}

/** Rebuilds the files, and returns them in the order of their ids. */
export async function rebuildFiles(rpc: Rpc, tenantId: string, fileIds: readonly string[]): Promise<RebuiltFile[]> {
  const rebuilt: RebuiltFile[][] = [];
  const starts = Array.from({ length: Math.ceil(fileIds.length / FILES_PER_CALL) }, (_, call) => call).values();
  const work = async () => {
    for (const call of starts) {
      const ids = fileIds.slice(call * FILES_PER_CALL, (call + 1) * FILES_PER_CALL);
      const { rebuildFiles: operation } = searchOperations;
      rebuilt[call] = (await rpc.call(operation, { file_ids: ids }, contextOf(tenantId, operation))).files;
    }
  };
  await Promise.all(Array.from({ length: CALLS_IN_FLIGHT }, work));
  return rebuilt.flat();
}
