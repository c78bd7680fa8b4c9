import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import { pageSize, withLimit, writeList, type LimitOptions } from '../list-limit.js';
import { withOutput } from '../options.js';
import { connectionColumns } from './columns.js';

export const define: Define = (command, use) =>
  void withOutput(withLimit(command), connectionColumns).action(use(list));

async function list(context: Context, options: OutputOptions & LimitOptions): Promise<void> {
  const output = context.output(connectionColumns, options);
  const kiln = await context.kiln();
  const query = { limit: pageSize(options) };
  await writeList(context, output, kiln.connections.list(query, { signal: context.signal }), options);
}
