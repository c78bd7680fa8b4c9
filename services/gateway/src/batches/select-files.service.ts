// Finds the files of a selection, newest first.
import { filesOperations, LIMIT_MAX, type CallContext, type FileSelection } from '@kiln/contracts';
import type { GatewayServices } from '../services.port.js';

const PAGE_FILES_MAX = LIMIT_MAX;
/** A page of a filter may be empty, although files follow. A request reads so many pages at most. */
const PAGES_MAX = 15;

export interface SelectedFiles {
  fileIds: string[];
  /** Whether there may be more files. */
  more: boolean;
}

export async function selectFiles(
  selection: FileSelection,
  filesMax: number,
  context: CallContext,
  { rpc }: Pick<GatewayServices, 'rpc'>,
): Promise<SelectedFiles> {
  const fileIds: string[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < PAGES_MAX && fileIds.length < filesMax && cursor !== null; page++) {
    const limit = Math.min(PAGE_FILES_MAX, filesMax - fileIds.length);
    const input = { ...selection, limit, ...(cursor && { cursor }) };
    const { files, next_cursor: next } = await rpc.call(filesOperations.listFiles, input, context);
    fileIds.push(...files.map(({ id }) => id));
    cursor = next;
  }
  return { fileIds, more: cursor !== null };
}
