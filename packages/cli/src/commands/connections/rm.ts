import type { Context, Define } from '../../context.js';
import { checkId, confirmDeletion } from '../options.js';

export const define: Define = (command, use) =>
  void command
    .argument('<connection>', 'the id of a connection')
    .option('--yes', 'delete without a question')
    .action(use(remove));

async function remove(context: Context, id: string, { yes }: { yes?: boolean }): Promise<void> {
  checkId(id, 'conn');
  await confirmDeletion(context, `Delete ${id}? Its files in Kiln and in the bucket are kept.`, yes);
  await (await context.kiln()).connections.delete(id, { signal: context.signal });
  context.talk(`${id} deleted`);
}
