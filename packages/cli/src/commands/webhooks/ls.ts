import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import type { Column } from '../../terminal/table.js';
import { withOutput } from '../options.js';

const columns: readonly Column[] = [
  { field: 'id', title: 'ID', kind: 'id' },
  { field: 'url', title: 'URL' },
  { field: 'events', title: 'EVENTS' },
  { field: 'active', title: 'ACTIVE' },
  { field: 'failing_since', title: 'FAILING', kind: 'time' },
  { field: 'last_error', title: 'ERROR', isExtra: true },
  { field: 'disabled_reason', title: 'DISABLED', isExtra: true },
  { field: 'description', title: 'DESCRIPTION', isExtra: true },
  { field: 'created_at', title: 'CREATED', kind: 'time', isExtra: true },
];

export const define: Define = (command, use) => void withOutput(command, columns).action(use(list));

async function list(context: Context, options: OutputOptions): Promise<void> {
  const output = context.output(columns, options);
  const { webhooks } = await (await context.kiln()).webhooks.list({ signal: context.signal });
  const count = await output.rows(webhooks);
  if (count === 0 && context.terminal.err.isTerminal) context.talk('Nothing found.');
}
