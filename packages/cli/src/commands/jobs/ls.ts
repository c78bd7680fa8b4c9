import type { Query, Schemas } from '@kiln/sdk';
import { Option } from 'commander';
import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import { pageSize, withLimit, writeList, type LimitOptions } from '../list-limit.js';
import { checkId, spaceOf, withOutput } from '../options.js';
import { reasonOf } from '../wait-for-jobs.js';
import { jobColumns } from './columns.js';

interface Options extends OutputOptions, LimitOptions {
  space?: string;
  status?: Exclude<Query<'listJobs'>['status'], undefined>;
  file?: string;
}

export const define: Define = (command, use) =>
  void withOutput(withLimit(command), jobColumns)
    .option('--space <name>', 'jobs of files in this space')
    .addOption(
      new Option('--status <status>', 'jobs with this status').choices([
        'queued',
        'processing',
        'completed',
        'failed',
        'cancelled',
      ]),
    )
    .option('--file <id>', 'jobs of this file')
    .action(use(list));

async function list(context: Context, options: Options): Promise<void> {
  const output = context.output(jobColumns, options);
  const { status, file } = options;
  const space = await spaceOf(context, options.space);
  const query = {
    limit: pageSize(options),
    ...(space !== undefined && { space }),
    ...(status && { status }),
    ...(file !== undefined && { file_id: checkId(file, 'file') }),
  };
  const kiln = await context.kiln();
  const jobs = kiln.jobs.list(query, { signal: context.signal });
  await writeList(context, output, output.isJson ? jobs : withReasons(jobs), options);
}

/** Errors as one text. */
async function* withReasons(jobs: AsyncIterable<Schemas['Job']>) {
  for await (const job of jobs) yield { ...job, error: job.error && reasonOf(job.error) };
}
