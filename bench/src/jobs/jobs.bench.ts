// Compares Kiln's job engine, at its shipped settings, with graphile-worker at its best: no-op jobs per second, and the time until an
// idle queue begins a job. Both use the same server, alternating. Then measures claims among a million queued jobs. `npm run bench:jobs`
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { median } from '../median.js';
import { cpuSeconds } from '../process-tree.js';
import { GraphileEngine } from './graphile.engine.js';
import { pickUps, type JobEngine } from './job-engine.js';
import { KilnEngine } from './kiln.engine.js';
import { measureMillion } from './million-jobs.js';
import { wearIn } from './server-log.js';

const JOBS = 10_000;
/** Warm-up rounds, which compile code and fill caches. */
const WARM_UP_ROUNDS = 1;
const ROUNDS = 5;
const PICK_UPS = 300;
const PICK_UP_EVERY_MS = 20;

const FIGURES = ['perSecond', 'nodeCpu', 'postgresCpu', 'natsCpu'] as const;
type Rates = Record<(typeof FIGURES)[number], number>;

interface Round extends Rates {
  /** Milliseconds of each pick-up. */
  pickUps: readonly number[];
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** The pids of all processes with this command, of any user. */
function pidsOf(command: string): number[] {
  const isIt = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === command;
    } catch {
      return false; // It has exited.
    }
  };
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isIt(pid));
}

/** CPU seconds used by this process, by each database session, and by NATS. */
async function cpuOf(engine: JobEngine): Promise<Map<number, number>[]> {
  const pids = [[process.pid], await engine.backendPids(), pidsOf('nats-server')];
  return pids.map((group) => new Map(group.map((pid) => [pid, cpuSeconds([pid])])));
}

/** Sessions may start or end between two measurements. */
const secondsBetween = (before: Map<number, number> | undefined, after: Map<number, number>) =>
  [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before?.get(pid) ?? 0), 0);

async function measure(engine: JobEngine): Promise<Round> {
  await engine.fill(JOBS);
  const before = await cpuOf(engine);
  const startedAt = performance.now();
  await engine.drain(JOBS);
  const perSecond = JOBS / ((performance.now() - startedAt) / 1_000);
  const after = await cpuOf(engine);
  const cpu = after.map((group, index) => (secondsBetween(before[index], group) * 1e6) / JOBS);
  const times = await pickUps(engine, PICK_UPS, PICK_UP_EVERY_MS);
  const [nodeCpu = 0, postgresCpu = 0, natsCpu = 0] = cpu;
  return { perSecond, nodeCpu, postgresCpu, natsCpu, pickUps: times };
}

const show = ({ perSecond, nodeCpu, postgresCpu, natsCpu, pickUps: times }: Round) =>
  `${perSecond.toFixed(0)}/s, CPU of a job ${nodeCpu.toFixed(0)} + ${postgresCpu.toFixed(0)} + ${natsCpu.toFixed(0)} µs ` +
  `(Node, Postgres, NATS); pick-up p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`;

/** Medians of the rates, and all pick-ups together. */
function summarize(rounds: readonly Round[]): Round {
  const rates = Object.fromEntries(FIGURES.map((of) => [of, median(rounds.map((round) => round[of]))])) as Rates;
  return { ...rates, pickUps: rounds.flatMap((round) => round.pickUps) };
}

async function main(): Promise<void> {
  await wearIn();
  const engines = [await GraphileEngine.start(), await KilnEngine.start(1), await KilnEngine.start(100)];
  const results = new Map<JobEngine, Round[]>(engines.map((engine) => [engine, []]));
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round++) {
    for (const engine of engines) {
      const measured = await measure(engine);
      if (round > 0) results.get(engine)?.push(measured);
      console.log(`round ${round}: ${engine.name}: ${show(measured)}; load ${loadavg()[0]?.toFixed(1)}`);
    }
  }
  const [baseline = []] = results.values();
  // The disk may stall for some tenths of a second, in the round of one engine: the median leaves that out.
  const p99Of = (round: Round | undefined) => quantile(round?.pickUps ?? [], 0.99);
  for (const [engine, rounds] of results) {
    const ratio = median(rounds.map((round, index) => p99Of(round) / p99Of(baseline[index])));
    console.log(
      `jobs: ${engine.name}: ${show(summarize(rounds))} (${ROUNDS} rounds); p99 ${ratio.toFixed(2)} of graphile-worker's (median)`,
    );
    await engine.close();
  }
  await measureMillion();
}

await main();
process.exit(0);
