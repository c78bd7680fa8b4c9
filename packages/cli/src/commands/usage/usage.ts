import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import type { Column } from '../../terminal/table.js';
import { withOutput } from '../options.js';

const columns: readonly Column[] = [
  { field: 'period', title: 'PERIOD' },
  { field: 'plan', title: 'PLAN' },
  { field: 'pages_used', title: 'PAGES', kind: 'number' },
  { field: 'pages_limit', title: 'LIMIT', kind: 'number' },
  { field: 'overage_pages', title: 'OVERAGE', kind: 'number' },
];

export const define: Define = (command, use) => void withOutput(command, columns).action(use(usage));

async function usage(context: Context, options: OutputOptions): Promise<void> {
  const output = context.output(columns, options);
  output.object(await (await context.kiln()).organization.getUsage({ signal: context.signal }));
}
