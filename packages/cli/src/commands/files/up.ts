import type { UploadFields } from '@kiln/sdk';
import type { Context, Define } from '../../context.js';
import { CommandFailure, usageError } from '../../exit-codes.js';
import type { Output, OutputOptions } from '../../terminal/output.js';
import { Progress } from '../../terminal/progress.js';
import type { Column } from '../../terminal/table.js';
import { findFiles } from '../../uploads/find-files.js';
import { uploadAll, type Outcome } from '../../uploads/upload-all.js';
import { reportUploads } from '../../uploads/upload-progress.js';
import { collect, collectPairs, integer, note, spaceOf, withOutput } from '../options.js';
import { reasonOf, waitForJobs, type EndedJob } from '../wait-for-jobs.js';

interface Options extends OutputOptions {
  space?: string;
  exclude?: string[];
  metadata?: Record<string, string>;
  concurrency: number;
  force?: boolean;
  skipProcessing?: boolean;
  wait?: boolean;
  timeout: number;
}

const columns: readonly Column[] = [
  { field: 'path', title: 'PATH' },
  { field: 'outcome', title: 'OUTCOME', kind: 'status' },
  { field: 'file_id', title: 'FILE', kind: 'id' },
  { field: 'job_id', title: 'JOB', isExtra: true },
  { field: 'sha256', title: 'SHA-256', isExtra: true },
  { field: 'error', title: 'ERROR', isExtra: true },
];

export const define: Define = (command, use) =>
  void withOutput(command, columns)
    .argument('<paths...>', 'files, and folders with all files in them')
    .option('--space <name>', 'the space of the files')
    .option('--exclude <pattern>', 'leave out files and folders, several times', collect)
    .option('--metadata <key=value>', 'metadata of the files, several times', collectPairs)
    .option('--concurrency <count>', 'files at a time', integer(1, 32), 4)
    .option('--force', 'also files that the space has')
    .option('--skip-processing', 'only store the files')
    .option('--wait', 'wait until the files are processed')
    .option('--timeout <seconds>', 'the longest --wait', integer(1, 86_400), 600)
    .addHelpText(
      'after',
      note(
        'A file whose SHA-256 a file of the space has is skipped, so that the same command continues an interrupted upload. This finds files that kiln up has uploaded. Patterns are like *.tmp, node_modules and drafts/**.',
      ),
    )
    .action(use(up));

async function up(context: Context, paths: string[], options: Options): Promise<void> {
  const output = context.output(columns, options);
  const files = await findFiles(paths, options.exclude ?? []);
  if (files.length === 0) throw usageError('There are no files to upload.');
  const { skipProcessing, metadata } = options;
  if (metadata && 'sha256' in metadata) throw usageError('The metadata sha256 is set by kiln up.');
  const fields: UploadFields = {
    ...(metadata && { metadata }),
    ...(skipProcessing === true && { skip_processing: true }),
  };
  const kiln = await context.kiln();
  const space = (await spaceOf(context, options.space)) ?? 'default';
  const { signal } = context;
  const settings = { kiln, space, fields, isForced: options.force === true, signal };
  const progress = new Progress(context.terminal.err);
  const onChange = reportUploads(progress, () => performance.now());
  const { concurrency } = options;
  const outcomes = await uploadAll({ files, concurrency, settings, onChange }).finally(() => progress.end());
  if (signal.aborted) {
    await output.rows(outcomes.map((outcome) => rowOf(outcome)));
    throw interrupted(outcomes.length, files.length);
  }
  const jobs = options.wait === true ? await waited(context, outcomes, output, options) : undefined;
  await output.rows(outcomes.map((outcome) => rowOf(outcome, jobs)));
  throwByOutcome(outcomes, jobs);
}

const interrupted = (done: number, total: number) =>
  new CommandFailure(
    'interrupted',
    `Interrupted: ${done} of ${total} files are done. Run the same command again to continue: it skips these.`,
  );

/** The jobs of all files, also of those that were present. If the wait ends early, the rows are written without them. */
async function waited(context: Context, outcomes: Outcome[], output: Output, { timeout }: Options) {
  const jobIds = outcomes.flatMap(({ uploaded }) => uploaded?.jobId ?? []);
  try {
    return await waitForJobs(context, await context.kiln(), jobIds, timeout);
  } catch (error) {
    await output.rows(outcomes.map((outcome) => rowOf(outcome)));
    if (context.signal.aborted)
      throw new CommandFailure('interrupted', 'Interrupted: all files are uploaded, and their processing continues.');
    throw error;
  }
}

type Jobs = ReadonlyMap<string, EndedJob>;

const jobOf = ({ uploaded }: Outcome, jobs?: Jobs) => jobs?.get(uploaded?.jobId ?? '');

function rowOf(outcome: Outcome, jobs?: Jobs) {
  const { file, uploaded, failure } = outcome;
  const job = jobOf(outcome, jobs);
  const reason = job?.error ? reasonOf(job.error) : null;
  return {
    path: file.name,
    outcome: failure ? 'failed' : (job?.status ?? uploaded.outcome),
    file_id: uploaded?.fileId ?? null,
    job_id: uploaded?.jobId ?? null,
    sha256: uploaded?.sha256 ?? null,
    error: failure?.message ?? reason,
  };
}

function throwByOutcome(outcomes: readonly Outcome[], jobs?: Jobs): void {
  const failures = outcomes.flatMap(({ failure }) => failure ?? []);
  const unprocessed = outcomes.flatMap((outcome) => {
    const job = jobOf(outcome, jobs);
    return job && job.status !== 'completed' ? [{ name: outcome.file.name, ...job }] : [];
  });
  if (failures.length + unprocessed.length === 0) return;
  const lines = unprocessed.map(({ name, status, error }) => `${name}: ${error ? reasonOf(error) : status}`);
  if (failures.length > 0) lines.push(`${failures.length} of ${outcomes.length} files were not uploaded.`);
  const isTemporary = unprocessed.length === 0 && failures.every(({ exit }) => exit === 'retry');
  throw new CommandFailure(isTemporary ? 'retry' : 'failed', lines.join('\n'));
}
