import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import { pageSize, withLimit, writeList, type LimitOptions } from '../list-limit.js';
import { withOutput } from '../options.js';
import { webhookColumns } from './columns.js';

interface Options extends OutputOptions, LimitOptions {}

export const define: Define = (command, use) => void withOutput(withLimit(command), webhookColumns).action(use(list));

async function list(context: Context, options: Options): Promise<void> {
  const output = context.output(webhookColumns, options);
  const kiln = await context.kiln();
  const webhooks = kiln.webhooks.list({ limit: pageSize(options) }, { signal: context.signal });
  await writeList(context, output, webhooks, options);
}
