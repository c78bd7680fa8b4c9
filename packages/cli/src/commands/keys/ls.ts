import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import type { Column } from '../../terminal/table.js';
import { pageSize, withLimit, writeList, type LimitOptions } from '../list-limit.js';
import { withOutput } from '../options.js';
import { keyColumns } from './columns.js';

const columns: readonly Column[] = [
  ...keyColumns,
  { field: 'last_used_at', title: 'LAST USED', kind: 'time', isExtra: true },
];

export const define: Define = (command, use) => void withOutput(withLimit(command), columns).action(use(list));

async function list(context: Context, options: OutputOptions & LimitOptions): Promise<void> {
  const output = context.output(columns, options);
  const kiln = await context.kiln();
  const query = { limit: pageSize(options) };
  await writeList(context, output, kiln.apiKeys.list(query, { signal: context.signal }), options);
}
