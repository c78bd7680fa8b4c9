import type { Schemas } from '@kiln/sdk';
import { Option } from 'commander';
import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import type { Column } from '../../terminal/table.js';
import { withOutput } from '../options.js';
import { keyColumns } from './columns.js';

interface Options extends OutputOptions {
  scopes?: string;
  mode: 'live' | 'test';
  expires?: string;
}

const columns: readonly Column[] = [...keyColumns, { field: 'key', title: 'WHOLE KEY' }];

export const define: Define = (command, use) =>
  void withOutput(command, columns)
    .argument('<name>', 'what the key is for')
    .option('--scopes <scopes>', 'such as files:read,search:read; default: those of your key')
    .addOption(new Option('--mode <mode>', 'for live or test data').choices(['live', 'test']).default('live'))
    .option('--expires <time>', 'such as 2027-01-31T00:00:00Z')
    .action(use(create));

async function create(context: Context, name: string, options: Options): Promise<void> {
  const output = context.output(columns, options);
  const { scopes, mode, expires } = options;
  const request: Schemas['CreateApiKeyRequest'] = {
    name,
    mode,
    ...(scopes !== undefined && { scopes: scopes.split(',') as NonNullable<Schemas['CreateApiKeyRequest']['scopes']> }),
    ...(expires !== undefined && { expires_at: expires }),
  };
  output.object(await (await context.kiln()).apiKeys.create(request, { signal: context.signal }));
  context.talk('The whole key is shown only now.');
}
