import type { Context, Define } from '../../context.js';
import { checkId, confirmDeletion } from '../options.js';

export const define: Define = (command, use) =>
  void command.argument('<key>', 'the id of a key').option('--yes', 'revoke without a question').action(use(remove));

async function remove(context: Context, id: string, { yes }: { yes?: boolean }): Promise<void> {
  checkId(id, 'key');
  await confirmDeletion(context, `Revoke ${id}? Whoever uses it loses access.`, yes);
  await (await context.kiln()).apiKeys.delete(id, { signal: context.signal });
  context.talk(`${id} revoked`);
}
