import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import { writeTable, type Column } from '../../terminal/table.js';
import { checkId, integer, withOutput } from '../options.js';
import { failUnlessCompleted, reasonOf, waitForJob } from '../wait-for-jobs.js';
import { jobColumns } from './columns.js';

interface Options extends OutputOptions {
  wait?: boolean;
  timeout: number;
}

const columns: readonly Column[] = [
  ...jobColumns.map(({ isExtra: _isExtra, ...column }) => column),
  { field: 'timeline', title: 'TIMELINE', isExtra: true },
];

const timelineColumns: readonly Column[] = [
  { field: 'attempt', title: 'ATTEMPT', kind: 'number' },
  { field: 'step', title: 'STEP' },
  { field: 'status', title: 'STATUS', kind: 'status' },
  { field: 'duration_ms', title: 'MS', kind: 'number' },
  { field: 'error', title: 'ERROR' },
];

export const define: Define = (command, use) =>
  void withOutput(command, columns)
    .argument('<job>', 'the id of a job')
    .option('--wait', 'wait until it has ended; the exit code is that of its outcome')
    .option('--timeout <seconds>', 'the longest --wait', integer(1, 86_400), 600)
    .action(use(get));

async function get(context: Context, id: string, options: Options): Promise<void> {
  const output = context.output(columns, options);
  checkId(id, 'job');
  const kiln = await context.kiln();
  const { signal, terminal } = context;
  const job =
    options.wait === true
      ? await waitForJob(context, kiln, id, options.timeout)
      : await kiln.jobs.get(id, {}, { signal });
  output.object(output.isJson ? job : { ...job, error: job.error && reasonOf(job.error) });
  if (!output.isJson && !output.isChosen && terminal.out.isTerminal && job.timeline.length > 0) {
    terminal.out.write('\n');
    const rows = job.timeline.map((entry) => ({ ...entry, error: entry.error && reasonOf(entry.error) }));
    writeTable(terminal.out, rows, timelineColumns, context.now());
  }
  if (options.wait === true) failUnlessCompleted(job);
}
