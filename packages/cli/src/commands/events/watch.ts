import type { EventStreamQuery, Kiln, StreamedEvent } from '@kiln/sdk';
import type { Context, Define } from '../../context.js';
import { CommandFailure, usageError } from '../../exit-codes.js';
import type { Output, OutputOptions } from '../../terminal/output.js';
import { paint } from '../../terminal/paint.js';
import type { Column } from '../../terminal/table.js';
import { checkId, integer, withOutput } from '../options.js';
import { failUnlessCompleted, waitForJob } from '../wait-for-jobs.js';
import { endOfStream } from './end-of-stream.js';
import { summaryOf } from './event-line.js';

interface Options extends OutputOptions {
  space?: string;
  types?: string;
  after?: string;
  timeout: number;
}

const columns: readonly Column[] = [
  { field: 'created_at', title: 'TIME' },
  { field: 'type', title: 'TYPE' },
  { field: 'about', title: 'ABOUT' },
  { field: 'detail', title: 'DETAIL' },
  { field: 'id', title: 'ID', isExtra: true },
  { field: 'data', title: 'DATA', isExtra: true },
];

export const define: Define = (command, use) =>
  void withOutput(command, columns)
    .argument('[id]', 'a file or a job: ends with its processing, with the exit code of its outcome')
    .option('--space <name>', 'events of files in this space')
    .option('--types <types>', 'only these types, separated by commas')
    .option('--after <event>', 'continue after this event')
    .option('--timeout <seconds>', 'the longest wait for a file or a job', integer(1, 86_400), 600)
    .action(use(watch));

async function watch(context: Context, id: string | undefined, options: Options): Promise<void> {
  const output = context.output(columns, options);
  const query: EventStreamQuery = {
    ...(options.space !== undefined && { space: options.space }),
    ...(options.types !== undefined && { types: options.types.split(',') as NonNullable<EventStreamQuery['types']> }),
  };
  if (id === undefined) return follow(context, output, query, options);
  const kiln = await context.kiln();
  const jobId = id.startsWith('job_') ? id : await jobOf(kiln, checkId(id, 'file'), context.signal);
  return followJob(context, kiln, output, { query: { ...query, job_id: jobId }, jobId, timeout: options.timeout });
}

async function jobOf(kiln: Kiln, fileId: string, signal: AbortSignal): Promise<string> {
  const { job_id: jobId } = await kiln.files.get(fileId, { signal });
  if (jobId === null) throw usageError(`${fileId} has no job: it was stored without processing.`);
  return jobId;
}

/** Until Ctrl-C. */
async function follow(context: Context, output: Output, query: EventStreamQuery, { after }: Options): Promise<void> {
  const kiln = await context.kiln();
  const stream = kiln.events.stream(query, {
    signal: context.signal,
    ...(after !== undefined && { lastEventId: after }),
  });
  if (context.terminal.err.isTerminal) context.talk('Waiting for events. Ctrl-C ends.');
  try {
    for await (const event of stream) write(context, output, event);
  } catch (error) {
    const next = stream.lastEventId === undefined ? '' : `Continue with: kiln watch --after ${stream.lastEventId}`;
    throw endOfStream(context, error, next);
  }
}

/** The request for the job says when it has ended, also if that was before the stream began. */
async function followJob(
  context: Context,
  kiln: Kiln,
  output: Output,
  { query, jobId, timeout }: { query: EventStreamQuery; jobId: string; timeout: number },
): Promise<void> {
  const { signal } = context;
  const ended = new AbortController();
  const stream = kiln.events.stream(query, { signal: AbortSignal.any([signal, ended.signal]) });
  const events = (async () => {
    for await (const event of stream) write(context, output, event);
  })();
  const job = waitForJob({ signal: AbortSignal.any([signal, ended.signal]) }, kiln, jobId, timeout);
  try {
    // A stream that fails ends the command, too.
    const result = await Promise.race([job, events.then(() => job)]);
    context.talk(`${jobId} ${result.status}`);
    failUnlessCompleted(result);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CommandFailure('interrupted', `The processing continues. Continue with: kiln watch ${jobId}`);
  } finally {
    ended.abort();
    await Promise.allSettled([job, events]);
  }
}

function write({ terminal: { out } }: Context, output: Output, event: StreamedEvent): void {
  const row = { ...event, ...summaryOf(event) };
  if (output.isJson) output.json(row, event);
  else if (!out.isTerminal || output.isChosen) output.row(row);
  else {
    const time = paint(out, 'dim', event.created_at.slice(11, 19));
    out.write(`${time}  ${event.type.padEnd(25)}  ${row.about}  ${row.detail}\n`);
  }
}
