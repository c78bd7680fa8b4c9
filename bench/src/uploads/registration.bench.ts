// The rows of a file and its job, through the services as the gateway asks them (bus, contracts, counts, search terms, events
// and all), 16 at a time, against a bare transaction of two inserts on 16 connections, in turn within one run. The worker is
// stopped meanwhile. `pnpm bench:registration`
import { encodeId, filesOperations, jobsOperations } from '@kiln/contracts';
import { startSystem } from '@kiln/dev/start-system';
import { connectBus, createLogger, RpcClient } from '@kiln/platform';
import { loadavg } from 'node:os';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { median } from '../median.js';

const ROUNDS = 5;
const ROUND_MS = 4_000;
const CONCURRENCY = 16;

/** Times a second that `work` was done. */
async function rateOf(work: () => Promise<void>, milliseconds = ROUND_MS): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  const loop = async () => {
    while (performance.now() - startedAt < milliseconds) {
      await work();
      done++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
  return (done * 1_000) / (performance.now() - startedAt);
}

/** The same facts in two tables with nothing but their primary keys. */
async function bareWork(databaseUrl: string) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONCURRENCY });
  await pool.query('create schema if not exists bare');
  await pool.query(`create table if not exists bare.files (tenant_id uuid, id uuid, job_id uuid, space text, filename text,
    content_type text, size_bytes bigint, sha256 text, status text, metadata jsonb, created_at timestamptz default now(),
    primary key (tenant_id, id))`);
  await pool.query(`create table if not exists bare.jobs (tenant_id uuid, id uuid, file_id uuid, space text, filename text,
    status text, created_at timestamptz default now(), primary key (tenant_id, id))`);
  const tenantId = uuidv7();
  const file = {
    name: 'file',
    text: `insert into bare.files (tenant_id, id, job_id, space, filename, content_type, size_bytes, sha256, status, metadata)
           values ($1, $2, $3, 'default', 'small.txt', 'text/plain', 1024, $4, 'uploaded', '{}')`,
  };
  const job = {
    name: 'job',
    text: `insert into bare.jobs (tenant_id, id, file_id, space, filename, status)
           values ($1, $2, $3, 'default', 'small.txt', 'queued')`,
  };
  const work = async () => {
    const [fileId, jobId] = [uuidv7(), uuidv7()];
    const client = await pool.connect();
    await client.query('begin');
    await client.query({ ...file, values: [tenantId, fileId, jobId, 'a'.repeat(64)] });
    await client.query({ ...job, values: [tenantId, jobId, fileId] });
    await client.query('commit');
    client.release();
  };
  return { work, close: () => pool.end() };
}

async function kilnWork(natsUrl: string) {
  const logger = createLogger({ service: 'bench', role: 'all', level: 'warn' });
  const connection = await connectBus({ url: natsUrl, name: 'bench', logger });
  const rpc = new RpcClient(connection, 'kiln');
  const tenantId = uuidv7();
  const facts = { space: 'default', filename: 'small.txt', content_type: 'text/plain' };
  const work = async () => {
    const ids = { file_id: encodeId('file', uuidv7()), job_id: encodeId('job', uuidv7()) };
    const context = { requestId: 'bench', tenantId, principal: 'bench', deadlineAt: Date.now() + 10_000 };
    const file = { ...ids, ...facts, size_bytes: 1_024, sha256: 'a'.repeat(64) };
    await rpc.call(filesOperations.createFile, file, context);
    await rpc.call(jobsOperations.createJobs, { jobs: [{ ...ids, ...facts, ready: true, processing: {} }] }, context);
  };
  return { work, close: () => connection.close() };
}

async function main(): Promise<void> {
  const system = await startSystem();
  const worker = system.runJson().services.find(({ name, role }) => name === 'jobs' && role === 'worker')?.pid ?? 0;
  process.kill(worker, 'SIGSTOP');
  try {
    const { postgres, nats } = system.runJson();
    const bare = await bareWork(postgres.url);
    const kiln = await kilnWork(nats.url);
    for (const { work } of [bare, kiln]) await rateOf(work, 2_000); // Warm: compiled, connected.
    const rounds: { bare: number; kiln: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ bare: await rateOf(bare.work), kiln: await rateOf(kiln.work) });
    }
    const of = (side: 'bare' | 'kiln') => median(rounds.map((round) => round[side])).toFixed(0);
    const ratio = median(rounds.map((round) => round.kiln / round.bare)).toFixed(2);
    console.log(`bare ${of('bare')}/s, kiln ${of('kiln')}/s`);
    console.log(`ratio ${ratio} (median of ${ROUNDS} rounds, load average ${loadavg()[0]?.toFixed(1)})`);
    await Promise.all([bare.close(), kiln.close()]);
  } finally {
    process.kill(worker, 'SIGCONT');
    await system.stop();
  }
}

await main();
