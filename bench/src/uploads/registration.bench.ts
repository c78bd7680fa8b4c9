// Writes the rows of files and their jobs, 16 at a time, in alternation with a bare transaction of two inserts on 16 connections.
// Measured twice: as the services write them (with events, counts and names), and through the whole system, where bus, relays
// and consumers share the machine and the worker is stopped. `npm run bench:registration`
import { startSystem } from '@kiln/dev/start-system';
import { createTestDatabase, testNats } from '@kiln/testing';
import { loadavg } from 'node:os';
import { median } from '../median.js';
import { bareRows } from './bare-rows.js';
import { serviceRows } from './service-rows.js';
import { usecaseRows } from './usecase-rows.js';

const ROUNDS = 5;
const ROUND_MS = 4_000;
const CONCURRENCY = 16;

/** Executions of `work` per second. */
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

interface Side {
  work: () => Promise<void>;
  close: () => Promise<unknown>;
}

/** Alternating rounds. The ratio is the median over the rounds. */
async function compare(name: string, bare: Side, kiln: Side): Promise<void> {
  for (const { work } of [bare, kiln]) await rateOf(work, 2_000); // Warm: compiled, connected.
  const rounds: { bare: number; kiln: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ bare: await rateOf(bare.work), kiln: await rateOf(kiln.work) });
  }
  const of = (side: 'bare' | 'kiln') => median(rounds.map((round) => round[side])).toFixed(0);
  const ratio = median(rounds.map((round) => round.kiln / round.bare)).toFixed(2);
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `${name}: bare ${of('bare')}/s, kiln ${of('kiln')}/s, ratio ${ratio} (median of ${ROUNDS}, load average ${load})`,
  );
  await Promise.all([bare.close(), kiln.close()]);
}

async function compareRows(): Promise<void> {
  const database = await createTestDatabase();
  try {
    const kiln = await usecaseRows(database.url, await testNats(), CONCURRENCY);
    await compare('rows and events', await bareRows(database.url, CONCURRENCY), kiln);
  } finally {
    await database.drop();
  }
}

async function compareSystem(): Promise<void> {
  const system = await startSystem();
  const { postgres, nats, services } = system.runJson();
  const worker = services.find(({ name, role }) => name === 'jobs' && role === 'worker')?.pid ?? 0;
  process.kill(worker, 'SIGSTOP');
  try {
    await compare('the whole system', await bareRows(postgres.url, CONCURRENCY), await serviceRows(nats.url));
  } finally {
    process.kill(worker, 'SIGCONT');
    await system.stop();
  }
}

await compareRows();
await compareSystem();
