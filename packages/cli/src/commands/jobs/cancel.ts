import type { Context, Define } from '../../context.js';
import { checkId } from '../options.js';

export const define: Define = (command, use) => void command.argument('<job>', 'the id of a job').action(use(cancel));

async function cancel(context: Context, id: string): Promise<void> {
  checkId(id, 'job');
  const { status } = await (await context.kiln()).jobs.cancel(id, { signal: context.signal });
  context.talk(`${id} ${status}`);
}
