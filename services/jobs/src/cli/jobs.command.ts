// `kiln jobs`: lists and changes jobs, for the operator. Reads DATABASE_URL, and NATS_URL to change something.
import { encodeId, formatTimestamp, internalContext, uuidOf } from '@kiln/contracts';
import { assertMigrated, connectBus, createLogger, Database, RpcClient, startOrExit } from '@kiln/platform';
import { migrations } from '../migrations/index.js';
import { JobTimelineStore } from '../jobs/job-timeline.store.js';
import type { JobRow } from '../jobs/job.rows.js';
import { OperatorJobStore, type OperatorJob } from '../jobs/operator-jobs.store.js';
import { GetJob } from '../jobs/get-job.usecase.js';
import { changeable, changeJobs, type Change, type Outcome } from './change-jobs.usecase.js';
import { loadCliConfig } from './cli.config.js';
import { readWords, type Words } from './arguments.command.js';

type Config = ReturnType<typeof loadCliConfig>;

const ALL_STATUSES: readonly JobRow['status'][] = ['queued', 'processing', 'failed', 'cancelled', 'completed'];

const print = (line: string) => process.stdout.write(`${line}\n`);

const shown = (job: OperatorJob) => ({
  id: encodeId('job', job.id),
  file_id: encodeId('file', job.file_id),
  tenant_id: job.tenant_id,
  space: job.space,
  status: job.status,
  provider: job.provider,
  attempts: job.attempts,
  error: job.error,
  created_at: formatTimestamp(job.created_at),
});

function lineOf(job: OperatorJob): string {
  const { id, tenant_id, space, status, provider, attempts, error, created_at } = shown(job);
  const words = [id, created_at, status, tenant_id, space, provider ?? '-', `${attempts} attempts`, error?.code];
  return words.filter((word) => word !== undefined).join('  ');
}

/** The jobs that the arguments select, within these statuses. */
async function* chosen(
  jobs: OperatorJobStore,
  words: Words,
  statuses: typeof ALL_STATUSES,
): AsyncGenerator<OperatorJob[]> {
  if (words.job !== undefined) {
    const job = await jobs.find(uuidOf('job', words.job));
    if (!job) throw new Error(`there is no job ${words.job}`);
    return yield [job];
  }
  yield* jobs.matching({
    tenantIds: words.tenant ?? null,
    statuses: words.status === undefined ? statuses : statuses.filter((status) => status === words.status),
    provider: words.provider,
    errorCode: words.error,
    space: words.space,
    ageSeconds: words['older-than'] ?? 0,
  });
}

async function list(jobs: OperatorJobStore, words: Words): Promise<void> {
  let count = 0;
  for await (const batch of chosen(jobs, words, ALL_STATUSES)) {
    for (const job of batch.slice(0, (words.limit ?? Infinity) - count)) {
      print(words.json ? JSON.stringify(shown(job)) : lineOf(job));
      count++;
    }
    if (count === words.limit) return;
  }
  if (count === 0 && !words.json) print('no jobs');
}

async function inspect(jobs: OperatorJobStore, database: Database, words: Words): Promise<void> {
  for await (const [job] of chosen(jobs, words, ALL_STATUSES)) {
    if (!job) continue;
    const { id, tenant_id: tenantId } = shown(job);
    const context = internalContext('operator', { tenantId, requestId: 'kiln-jobs', timeoutMs: Infinity });
    const details = await new GetJob(new JobTimelineStore(database)).execute({ id }, context);
    print(JSON.stringify({ tenant_id: tenantId, ...details }, null, 2));
  }
}

async function change(jobs: OperatorJobStore, config: Config, which: Change, words: Words): Promise<void> {
  const statuses = changeable[which];
  if (words.status !== undefined && !statuses.includes(words.status))
    throw new Error(`${which} is for jobs that are ${statuses.join(' or ')}, not ${words.status}`);
  const logger = createLogger({ service: 'kiln', role: 'cli', level: config.KILN_LOG_LEVEL });
  const connection = words['dry-run'] ? null : await connectBus({ url: config.NATS_URL, name: 'kiln-cli', logger });
  const counts = { changed: 0, refused: 0 };
  try {
    const rpc = connection && new RpcClient(connection, config.KILN_BUS_NAMESPACE);
    for await (const batch of chosen(jobs, words, statuses)) {
      const outcomes = rpc ? await changeJobs(rpc, which, batch) : batch.map((job) => ({ job, refusal: null }));
      for (const outcome of outcomes) {
        counts[outcome.refusal ? 'refused' : 'changed']++;
        print(words.json ? jsonOf(outcome, which, words) : textOf(outcome, which, words));
      }
    }
  } finally {
    await connection?.close();
  }
  const done = words['dry-run'] ? 'would be asked for' : which === 'requeue' ? 'requeued' : 'cancelled';
  if (!words.json) print(`${counts.changed} ${done}, ${counts.refused} refused`);
  if (counts.refused > 0) process.exitCode = 2;
}

function jsonOf({ job, refusal }: Outcome, which: Change, words: Words): string {
  return JSON.stringify({ ...shown(job), change: which, dry_run: words['dry-run'], refusal });
}

function textOf({ job, refusal }: Outcome, which: Change, words: Words): string {
  if (refusal) return `refused      ${lineOf(job)}  ${refusal.message}`;
  return `${words['dry-run'] ? `would ${which}` : which.padEnd(11)}  ${lineOf(job)}`;
}

startOrExit(async () => {
  const { verb, words } = readWords(process.argv.slice(2));
  const config = loadCliConfig();
  const database = await Database.open(
    {
      url: config.DATABASE_URL,
      schema: 'jobs',
      migrations,
      connectionsMax: 1,
      statementTimeoutMs: config.KILN_DATABASE_STATEMENT_TIMEOUT_MS,
      pooled: config.KILN_DATABASE_POOLER === 'transaction',
    },
    () => undefined, // A connection lost while idle shows as a failed statement.
  );
  try {
    await assertMigrated(database);
    const jobs = new OperatorJobStore(database);
    if (verb === 'list') await list(jobs, words);
    else if (verb === 'inspect') await inspect(jobs, database, words);
    else await change(jobs, config, verb, words);
  } finally {
    await database.close();
  }
});
