import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import type { Column } from '../../terminal/table.js';
import { pageSize, withLimit, writeList, type LimitOptions } from '../list-limit.js';
import { checkId, withOutput } from '../options.js';

const columns: readonly Column[] = [
  { field: 'index', title: 'CHUNK', kind: 'number' },
  { field: 'page', title: 'PAGE', kind: 'number' },
  { field: 'headings', title: 'HEADINGS', isExtra: true },
  { field: 'start', title: 'START', kind: 'number', isExtra: true },
  { field: 'end', title: 'END', kind: 'number', isExtra: true },
  { field: 'regions', title: 'REGIONS', isExtra: true },
  { field: 'text', title: 'TEXT' },
];

export const define: Define = (command, use) =>
  void withOutput(withLimit(command), columns).argument('<file>', 'the id of a file').action(use(chunks));

async function chunks(context: Context, id: string, options: OutputOptions & LimitOptions): Promise<void> {
  const output = context.output(columns, options);
  const kiln = await context.kiln();
  const query = { limit: pageSize(options) };
  await writeList(
    context,
    output,
    kiln.files.listChunks(checkId(id, 'file'), query, { signal: context.signal }),
    options,
  );
}
