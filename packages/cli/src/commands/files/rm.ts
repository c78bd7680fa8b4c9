import type { Context, Define } from '../../context.js';
import { CommandFailure } from '../../exit-codes.js';
import { checkId, confirmDeletion } from '../options.js';

/** The API deletes this many files in one request. */
const FILES_MAX = 100;

export const define: Define = (command, use) =>
  void command.argument('<files...>', 'ids of files').option('--yes', 'delete without a question').action(use(remove));

async function remove(context: Context, ids: string[], { yes }: { yes?: boolean }): Promise<void> {
  for (const id of ids) checkId(id, 'file');
  await confirmDeletion(context, `Delete ${ids.length === 1 ? ids[0] : `${ids.length} files`} for good?`, yes);
  const kiln = await context.kiln();
  let missing = 0;
  for (let at = 0; at < ids.length; at += FILES_MAX) {
    const part = ids.slice(at, at + FILES_MAX);
    const { errors } = await kiln.files.deleteMany({ file_ids: part }, { signal: context.signal });
    missing += errors.length;
    const failed = new Set(errors.map(({ file_id: id }) => id));
    for (const id of part) {
      if (failed.has(id)) context.talk(`${id}: there is no such file`);
      else context.terminal.out.write(`${id}\n`);
    }
  }
  if (missing > 0) throw new CommandFailure('failed');
}
