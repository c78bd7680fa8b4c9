// Lists the indexed files of a tenant, and calls the search service for a few of them at a time. For the operator's commands.
import { filesOperations, modeOf, type CallContext, type Operation } from '@kiln/contracts';
import type { RpcClient } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';

const FILES_PER_PAGE = 200;
/** The processes of the service share the calls. */
const CALLS_IN_FLIGHT = 4;

export type Rpc = Pick<RpcClient, 'call'>;

export const operatorContext = (tenantId: string, { timeoutMs }: Operation): CallContext => ({
  requestId: uuidv7(),
  tenantId,
  mode: modeOf(tenantId),
  principal: 'operator',
  deadlineAt: Date.now() + timeoutMs,
});

/** The ids of all indexed files of the tenant after `after`, in their order. */
export async function* indexedPages(rpc: Rpc, tenantId: string, after: string | null): AsyncGenerator<string[]> {
  const list = filesOperations.listIndexedFiles;
  for (let last = after; ;) {
    const page = await rpc.call(list, { after: last, limit: FILES_PER_PAGE }, operatorContext(tenantId, list));
    last = page.file_ids.at(-1) ?? null;
    if (last === null) return;
    yield page.file_ids;
  }
}

/** Calls for a few files at a time. Returns the results in the order of the ids. */
export async function inCalls<Result>(
  ids: readonly string[],
  idsPerCall: number,
  call: (ids: string[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: (readonly Result[])[] = [];
  const starts = Array.from({ length: Math.ceil(ids.length / idsPerCall) }, (_, at) => at).values();
  const work = async () => {
    for (const at of starts) results[at] = await call(ids.slice(at * idsPerCall, (at + 1) * idsPerCall));
  };
  await Promise.all(Array.from({ length: CALLS_IN_FLIGHT }, work));
  return results.flat();
}
