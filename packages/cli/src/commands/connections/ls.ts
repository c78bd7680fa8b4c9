import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import type { Column } from '../../terminal/table.js';
import { pageSize, withLimit, writeList, type LimitOptions } from '../list-limit.js';
import { withOutput } from '../options.js';

const columns: readonly Column[] = [
  { field: 'id', title: 'ID', kind: 'id' },
  { field: 'name', title: 'NAME' },
  { field: 'provider', title: 'PROVIDER' },
  { field: 'bucket', title: 'BUCKET' },
  { field: 'status', title: 'STATUS', kind: 'status' },
  { field: 'prefix', title: 'PREFIX', isExtra: true },
  { field: 'region', title: 'REGION', isExtra: true },
  { field: 'auth_type', title: 'AUTH', isExtra: true },
  { field: 'error', title: 'ERROR', isExtra: true },
  { field: 'created_at', title: 'CREATED', kind: 'time', isExtra: true },
];

export const define: Define = (command, use) => void withOutput(withLimit(command), columns).action(use(list));

async function list(context: Context, options: OutputOptions & LimitOptions): Promise<void> {
  const output = context.output(columns, options);
  const kiln = await context.kiln();
  const query = { limit: pageSize(options) };
  await writeList(context, output, kiln.connections.list(query, { signal: context.signal }), options);
}
