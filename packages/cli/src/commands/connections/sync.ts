import type { Kiln, Schemas } from '@kiln/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Define } from '../../context.js';
import { CommandFailure } from '../../exit-codes.js';
import type { OutputOptions } from '../../terminal/output.js';
import { formatSeconds } from '../../terminal/format.js';
import { bar, Progress } from '../../terminal/progress.js';
import type { Column } from '../../terminal/table.js';
import { checkId, integer, withOutput } from '../options.js';
import { reasonOf } from '../wait-for-jobs.js';

interface Options extends OutputOptions {
  force?: boolean;
  timeout: number;
}

type Sync = Schemas['Sync'];

const columns: readonly Column[] = [
  { field: 'id', title: 'ID', kind: 'id' },
  { field: 'status', title: 'STATUS', kind: 'status' },
  { field: 'synced_count', title: 'OBJECTS', kind: 'number' },
  { field: 'files_added', title: 'ADDED', kind: 'number' },
  { field: 'files_updated', title: 'UPDATED', kind: 'number' },
  { field: 'files_deleted', title: 'DELETED', kind: 'number' },
  { field: 'skipped', title: 'SKIPPED', kind: 'number' },
  { field: 'error', title: 'ERROR', isExtra: true },
  { field: 'started_at', title: 'STARTED', kind: 'time', isExtra: true },
  { field: 'completed_at', title: 'COMPLETED', kind: 'time', isExtra: true },
];

export const define: Define = (command, use) =>
  void withOutput(command, columns)
    .argument('<connection>', 'the id of a connection')
    .option('--force', 'also if more than half of all objects are gone')
    .option('--timeout <seconds>', 'the longest wait for the end', integer(1, 86_400), 3_600)
    .action(use(sync));

const POLL_MS = 1_000;
const BAR_WIDTH = 20;

async function sync(context: Context, id: string, options: Options): Promise<void> {
  const output = context.output(columns, options);
  checkId(id, 'conn');
  const kiln = await context.kiln();
  const { signal } = context;
  const started = await kiln.connections.startSync(id, { force: options.force ?? false }, { signal });
  const ended = await endOf(context, kiln, id, started, options.timeout);
  output.object(ended);
  if (ended.status === 'completed') return;
  throw new CommandFailure('failed', `The sync ${ended.status}${ended.error ? `: ${reasonOf(ended.error)}` : ''}`);
}

async function endOf(context: Context, kiln: Kiln, id: string, started: Sync, timeout: number): Promise<Sync> {
  const { signal, terminal } = context;
  const endsAt = performance.now() + timeout * 1_000;
  const progress = new Progress(terminal.err);
  let current = started;
  try {
    while (current.status === 'pending' || current.status === 'syncing') {
      if (performance.now() >= endsAt)
        throw new CommandFailure('pending', `The sync continues. See it with: kiln connections sync ${id}`);
      progress.show([lineOf(await kiln.connections.getSyncProgress(id, { signal }))]);
      await sleep(POLL_MS, undefined, { signal });
      const syncs = await kiln.connections.listSyncs(id, { limit: 20 }, { signal });
      current = syncs.syncs.find((one) => one.id === started.id) ?? current;
    }
  } catch (error) {
    if (signal.aborted) throw new CommandFailure('interrupted', 'Interrupted: the sync continues on the server.');
    throw error;
  } finally {
    progress.end();
  }
  return current;
}

function lineOf({ synced, total, percent, eta_seconds: eta }: Schemas['GetSyncProgressResponse']): string {
  const count = total === null ? `${synced} objects` : `${synced} of about ${total} objects`;
  const left = eta === null ? '' : `  ${formatSeconds(eta)} left`;
  return total === null ? count : `${bar(percent / 100, BAR_WIDTH)} ${Math.floor(percent)} %  ${count}${left}`;
}
