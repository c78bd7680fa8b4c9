import type { Context, Define } from '../../context.js';

export const define: Define = (command, use) => void command.action(use(openConsole));

/** Prints the address of the console. On a terminal, also opens it in a browser. */
async function openConsole(context: Context): Promise<void> {
  const { url } = await context.settings();
  const address = `${(url.value ?? '').replace(/\/+$/, '')}/console/`;
  context.terminal.out.write(`${address}\n`);
  if (!context.terminal.out.isTerminal) return;
  const { default: open } = await import('open');
  const browser = await open(address);
  browser.once('error', () => context.talk('There is no browser here: open the address yourself.'));
}
