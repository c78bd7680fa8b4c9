import type { Context, Define } from '../../context.js';
import type { Column } from '../../terminal/table.js';
import type { OutputOptions } from '../../terminal/output.js';
import { withOutput } from '../options.js';

const columns: readonly Column[] = [
  { field: 'setting', title: 'SETTING' },
  { field: 'value', title: 'VALUE' },
  { field: 'source', title: 'SOURCE' },
];

export const define: Define = (command, use) => void withOutput(command, columns).action(use(show));

async function show(context: Context, options: OutputOptions): Promise<void> {
  const output = context.output(columns, options);
  const { profile, url, space, apiKey } = await context.settings();
  const key = { ...apiKey, value: apiKey.value && redacted(apiKey.value) };
  const rows = Object.entries({ profile, url, space, api_key: key });
  await output.rows(rows.map(([setting, { value = null, source }]) => ({ setting, value, source })));
}

/** As much of a key as lists of keys show. */
const redacted = (key: string) => `${key.slice(0, 14)}…`;
