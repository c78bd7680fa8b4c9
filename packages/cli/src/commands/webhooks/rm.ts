import type { Context, Define } from '../../context.js';
import { checkId, confirmDeletion } from '../options.js';

export const define: Define = (command, use) =>
  void command
    .argument('<webhook>', 'the id of a webhook')
    .option('--yes', 'delete without a question')
    .action(use(remove));

async function remove(context: Context, id: string, { yes }: { yes?: boolean }): Promise<void> {
  checkId(id, 'wh');
  await confirmDeletion(context, `Delete ${id}? It receives no further events.`, yes);
  await (await context.kiln()).webhooks.delete(id, { signal: context.signal });
  context.talk(`${id} deleted`);
}
