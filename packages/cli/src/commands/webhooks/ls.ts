import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import type { Column } from '../../terminal/table.js';
import { pageSize, withLimit, writeList, type LimitOptions } from '../list-limit.js';
import { withOutput } from '../options.js';

const columns: readonly Column[] = [
  { field: 'id', title: 'ID', kind: 'id' },
  { field: 'url', title: 'URL' },
  { field: 'events', title: 'EVENTS' },
  { field: 'spaces', title: 'SPACES', isExtra: true },
  { field: 'active', title: 'ACTIVE' },
  { field: 'failing_since', title: 'FAILING', kind: 'time' },
  { field: 'last_error', title: 'ERROR', isExtra: true },
  { field: 'disabled_reason', title: 'DISABLED', isExtra: true },
  { field: 'description', title: 'DESCRIPTION', isExtra: true },
  { field: 'created_at', title: 'CREATED', kind: 'time', isExtra: true },
];

interface Options extends OutputOptions, LimitOptions {}

export const define: Define = (command, use) => void withOutput(withLimit(command), columns).action(use(list));

async function list(context: Context, options: Options): Promise<void> {
  const output = context.output(columns, options);
  const kiln = await context.kiln();
  const webhooks = kiln.webhooks.list({ limit: pageSize(options) }, { signal: context.signal });
  await writeList(context, output, webhooks, options);
}
