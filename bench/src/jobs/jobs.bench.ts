// Jobs that do nothing, per second, and how soon a lone one begins: Kiln's engine, with all it keeps of a job, against three
// queues that keep less, each as its authors tune it, on the same servers and in turn within one run. Then what a claim costs
// among a million queued jobs. `pnpm bench:jobs`
import { loadavg } from 'node:os';
import { median } from '../median.js';
import { BullMqEngine } from './bullmq.engine.js';
import { GraphileEngine } from './graphile.engine.js';
import type { JobEngine } from './job-engine.js';
import { KilnEngine } from './kiln.engine.js';
import { measureMillion } from './million-jobs.js';
import { PgBossEngine } from './pg-boss.engine.js';
import { wearIn } from './server-log.js';

const JOBS = 10_000;
/** Which compile and fill caches. */
const WARM_UP_ROUNDS = 3;
const ROUNDS = 7;
const PICK_UPS = 200;
const BASELINE = 'graphile-worker, local queue of 500';

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;

interface Round {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

async function measure(engine: JobEngine): Promise<Round> {
  await engine.fill(JOBS);
  const startedAt = performance.now();
  await engine.drain(JOBS);
  const perSecond = JOBS / ((performance.now() - startedAt) / 1_000);
  await engine.checkDrained?.();
  const times = (await engine.pickUps(PICK_UPS)).toSorted((a, b) => a - b);
  return { perSecond, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}

const show = ({ perSecond, p50Ms, p99Ms }: Round) =>
  `${perSecond.toFixed(0)}/s${Number.isNaN(p50Ms) ? '' : `, pick-up p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`}`;

async function main(): Promise<void> {
  await wearIn();
  const engines: JobEngine[] = [
    await GraphileEngine.start(BASELINE, { tuned: true }),
    await KilnEngine.start(1),
    await KilnEngine.start(100),
    await PgBossEngine.start(),
    await BullMqEngine.start(),
  ];
  const results = new Map<string, Round[]>(engines.map(({ name }) => [name, []]));
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round++) {
    for (const engine of engines) {
      const measured = await measure(engine);
      if (round <= 0) continue;
      results.get(engine.name)?.push(measured);
      console.log(`round ${round}: ${engine.name}: ${show(measured)}; load ${loadavg()[0]?.toFixed(1)}`);
    }
  }
  const baseline = results.get(BASELINE) ?? [];
  for (const [name, rounds] of results) {
    const ratios = (of: keyof Round) =>
      median(rounds.map((round, index) => round[of] / (baseline[index]?.[of] ?? NaN)));
    const middle = (of: keyof Round) => median(rounds.map((round) => round[of]));
    const typical = { perSecond: middle('perSecond'), p50Ms: middle('p50Ms'), p99Ms: middle('p99Ms') };
    const pickUp = Number.isNaN(typical.p50Ms)
      ? ''
      : `, pick-up p50 ${ratios('p50Ms').toFixed(2)}, p99 ${ratios('p99Ms').toFixed(2)}`;
    const shares = `ratio ${ratios('perSecond').toFixed(2)}${pickUp}`;
    const best = Math.max(...rounds.map(({ perSecond }) => perSecond)).toFixed(0);
    console.log(`jobs: ${name}: ${show(typical)}; ${shares} (medians of ${ROUNDS} rounds of ${JOBS}; best ${best}/s)`);
  }
  for (const engine of engines) await engine.close();
  await measureMillion();
}

await main();
process.exit(0);
