// Facts per second: recorded with their rollups, against bare inserts of the same rows into tables with the same history and indexes. Both in
// batches of 5,000, as the service takes them under load, one transaction each, in alternating rounds.
import type { FileFact } from '@kiln/analytics/facts/file-fact.store';
import type { JobOutcome } from '@kiln/analytics/facts/job-outcome.store';
import { RecordFacts } from '@kiln/analytics/facts/record-facts.usecase';
import { statement, type Database, type Statement } from '@kiln/platform';
import type { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { median } from '../median.js';
import { cpuSeconds } from '../process-tree.js';

const BATCH = 5_000;
const BATCHES = 5;
const ROUNDS = 7;
const TYPES = ['application/pdf', 'text/markdown', 'image/png'];
const PROVIDERS = ['document_extractor', 'image_extractor', 'audio_extractor'] as const;

interface Batch {
  files: FileFact[];
  outcomes: JobOutcome[];
}

/** New files and completions of the last minutes. */
function newBatch(tenantIds: readonly string[]): Batch {
  const now = Date.now();
  const files = Array.from({ length: BATCH }, (_, index): FileFact => {
    const time = new Date(now - index * 100).toISOString();
    return {
      tenant_id: tenantIds[index % tenantIds.length] ?? '',
      file_id: uuidv7(),
      version: now + index,
      status: 'completed',
      space: `space-${index % 20}`,
      content_type: TYPES[index % TYPES.length] ?? '',
      size_bytes: index,
      jobs: 1,
      variants: 3,
      created_at: time,
      deleted_at: null,
    };
  });
  const outcomes = files.map(({ tenant_id, file_id, created_at }, index): JobOutcome => ({
    tenant_id,
    file_id,
    job_id: uuidv7(),
    fence: 1,
    status: 'completed',
    ended_at: created_at,
    provider: PROVIDERS[index % PROVIDERS.length] ?? null,
    duration_ms: Math.round(Math.exp(6 + 1.2 * normal())),
    reason: null,
    message: null,
    filename: null,
  }));
  return { files, outcomes };
}

const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());

const bareFiles = statement(
  'bench.bare_files',
  `insert into bare_files (tenant_id, file_id, version, status, space, content_type, size_bytes, jobs, variants, created_at, deleted_at)
   select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::int[], $9::int[],
                        $10::timestamptz[], $11::timestamptz[])`,
);
const bareOutcomes = statement(
  'bench.bare_outcomes',
  `insert into bare_outcomes (tenant_id, file_id, job_id, fence, status, ended_at, provider, duration_ms, reason, message, filename, is_latest)
   select *, true from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::timestamptz[], $7::text[], $8::int[],
                              $9::text[], $10::text[], $11::text[])`,
);
const columnsOf = <Row extends object>(rows: readonly Row[]) =>
  (Object.keys(rows[0] ?? {}) as (keyof Row)[]).map((key) => rows.map((row) => row[key]));

export interface Ingestion {
  factsPerSecond: number;
  barePerSecond: number;
  /** The median of the ratios over the rounds. */
  ratio: number;
  /**
   * The median of the ratios of facts per second of CPU time (this process and its Postgres backends). Other work on the machine changes it
   * less.
   */
  cpuRatio: number;
  /** New states per second of files that have one already: each replaces a state. */
  statesPerSecond: number;
}

/** Tables with the rows and indexes of the facts, and nothing else. */
export async function copyFacts(client: Client): Promise<void> {
  for (const [copy, table] of [
    ['bare_files', 'file_facts'],
    ['bare_outcomes', 'job_outcomes'],
  ]) {
    await client.query(`create table ${copy} (like ${table} including all)`);
    await client.query(`alter table ${copy} owner to kiln_analytics`);
    await client.query(`insert into ${copy} select * from ${table}`);
  }
  await client.query('vacuum analyze');
}

export async function measureIngestion(database: Database, tenantIds: readonly string[]): Promise<Ingestion> {
  const facts = new RecordFacts(database);
  const bare = (insert: Statement, rows: readonly object[]) =>
    database.transaction((transaction) => transaction.query(insert, columnsOf(rows)));
  const kilnSide = async ({ files, outcomes }: Batch) => {
    await facts.files(files);
    await facts.outcomes(outcomes);
  };
  const bareSide = async ({ files, outcomes }: Batch) => {
    await bare(bareFiles, files);
    await bare(bareOutcomes, outcomes);
  };
  const newBatches = () => Array.from({ length: BATCHES }, () => newBatch(tenantIds));
  const backends = await database.query<{ pid: number }>({
    name: '',
    text: 'select pid from pg_stat_activity where datname = current_database()',
  });
  const pids = [process.pid, ...backends.map(({ pid }) => pid)];
  const rate = async (count: number, batches: readonly Batch[], record: (batch: Batch) => Promise<void>) => {
    const [startedAt, cpuBefore] = [performance.now(), cpuSeconds(pids)];
    for (const batch of batches) await record(batch);
    const facts = count * batches.length * BATCH;
    return {
      perSecond: (facts * 1_000) / (performance.now() - startedAt),
      perCpuSecond: facts / (cpuSeconds(pids) - cpuBefore),
    };
  };
  for (const side of [bareSide, kilnSide]) await rate(2, newBatches(), side);
  type Rates = Awaited<ReturnType<typeof rate>>;
  const rounds: { bare: Rates; kiln: Rates; states: Rates }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const batches = newBatches();
    rounds.push({
      bare: await rate(2, batches, bareSide),
      kiln: await rate(2, batches, kilnSide),
      states: await rate(1, batches, ({ files }) =>
        facts.files(files.map((file) => ({ ...file, version: file.version + BATCH, variants: 4 }))),
      ),
    });
  }
  return {
    factsPerSecond: median(rounds.map(({ kiln }) => kiln.perSecond)),
    barePerSecond: median(rounds.map((round) => round.bare.perSecond)),
    ratio: median(rounds.map((round) => round.kiln.perSecond / round.bare.perSecond)),
    cpuRatio: median(rounds.map((round) => round.kiln.perCpuSecond / round.bare.perCpuSecond)),
    statesPerSecond: median(rounds.map(({ states }) => states.perSecond)),
  };
}
