// Lists the indexed files of a tenant, and calls the search service for a few of them at a time. For the operator's commands.
import { filesOperations, internalContext, type Operation, type OperationOutput } from '@kiln/contracts';
import type { RpcClient } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';

const FILES_PER_PAGE = 200;
/** The processes of the service share the calls. */
const CALLS_IN_FLIGHT = 4;

export class OperatorCalls {
  constructor(
    private readonly rpc: Pick<RpcClient, 'call'>,
    private readonly tenantId: string,
  ) {}

  call<Op extends Operation>(operation: Op, input: z.input<Op['input']>): Promise<OperationOutput<Op>> {
    const about = { tenantId: this.tenantId, requestId: uuidv7(), timeoutMs: operation.timeoutMs };
    return this.rpc.call(operation, input, internalContext('operator', about));
  }

  /** The ids of all indexed files of the tenant after `after`, in their order. */
  async *indexedPages(after: string | null): AsyncGenerator<string[]> {
    for (let last = after; ;) {
      const page = await this.call(filesOperations.listIndexedFiles, { after: last, limit: FILES_PER_PAGE });
      last = page.file_ids.at(-1) ?? null;
      if (last === null) return;
      yield page.file_ids;
    }
  }
}

/** Calls for a few files at a time. Returns the results in the order of the ids. */
export async function inCalls<Result>(
  ids: readonly string[],
  idsPerCall: number,
  call: (ids: string[]) => Promise<{ files: readonly Result[] }>,
): Promise<Result[]> {
  const results: (readonly Result[])[] = [];
  const starts = Array.from({ length: Math.ceil(ids.length / idsPerCall) }, (_, at) => at).values();
  const work = async () => {
    for (const at of starts) results[at] = (await call(ids.slice(at * idsPerCall, (at + 1) * idsPerCall))).files;
  };
  await Promise.all(Array.from({ length: CALLS_IN_FLIGHT }, work));
  return results.flat();
}
