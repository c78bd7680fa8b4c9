// Finds the files of a selection, newest first.
import { filesOperations, LIMIT_MAX, type CallContext, type FileSelection } from '@kiln/contracts';
import type { GatewayServices } from '../services.port.js';

/** A page of a filter may be empty, although files follow. A request reads so many pages at most. */
const PAGES_MAX = 15;

/** `more` is true if there may be more files. */
export async function selectFiles(
  selection: FileSelection,
  filesMax: number,
  context: CallContext,
  { rpc }: Pick<GatewayServices, 'rpc'>,
): Promise<{ fileIds: string[]; more: boolean }> {
  const fileIds: string[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < PAGES_MAX && fileIds.length < filesMax && cursor !== null; page++) {
    const limit = Math.min(LIMIT_MAX, filesMax - fileIds.length);
    const input = { ...selection, limit, ...(cursor && { cursor }) };
    const { files, next_cursor: next } = await rpc.call(filesOperations.listFiles, input, context);
    fileIds.push(...files.map(({ id }) => id));
    cursor = next;
  }
  return { fileIds, more: cursor !== null };
}
