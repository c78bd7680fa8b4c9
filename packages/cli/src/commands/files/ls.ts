import type { Query } from '@kiln/sdk';
import { Option } from 'commander';
import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import { pageSize, withLimit, writeList, type LimitOptions } from '../list-limit.js';
import { collectPairs, spaceOf, withOutput } from '../options.js';
import { fileColumns } from './columns.js';

interface Options extends OutputOptions, LimitOptions {
  space?: string;
  status?: Exclude<Query<'listFiles'>['status'], undefined>;
  search?: string;
  metadata?: Record<string, string>;
  externalId?: string;
  sort: Exclude<Query<'listFiles'>['sort_by'], undefined>;
  reverse?: boolean;
}

export const define: Define = (command, use) =>
  void withOutput(withLimit(command), fileColumns)
    .option('--space <name>', 'files of this space')
    .addOption(
      new Option('--status <status>', 'files with this status').choices([
        'uploading',
        'uploaded',
        'processing',
        'completed',
        'failed',
      ]),
    )
    .option('--search <text>', 'files whose name contains this, or whose content has its words')
    .option('--metadata <key=value>', 'files with this metadata, several times', collectPairs)
    .option('--external-id <id>', 'the file with this external id')
    .addOption(
      new Option('--sort <field>', 'newest, largest or first name first')
        .choices(['created_at', 'updated_at', 'filename', 'size_bytes'])
        .default('created_at'),
    )
    .option('--reverse', 'the other way round')
    .action(use(list));

async function list(context: Context, options: Options): Promise<void> {
  const { status, search, metadata, externalId, sort, reverse } = options;
  const output = context.output(fileColumns, options);
  const space = await spaceOf(context, options.space);
  const query: Query<'listFiles'> = {
    sort_by: sort,
    sort_order: (sort === 'filename') === (reverse !== true) ? 'asc' : 'desc',
    limit: pageSize(options),
    ...(space !== undefined && { space }),
    ...(status && { status }),
    ...(search !== undefined && { search }),
    ...(externalId !== undefined && { external_id: externalId }),
    ...(metadata && {
      metadata: Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value])),
    }),
  };
  const kiln = await context.kiln();
  await writeList(context, output, kiln.files.list(query, { signal: context.signal }), options);
}
