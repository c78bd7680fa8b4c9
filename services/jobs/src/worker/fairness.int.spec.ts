// Real: Postgres, the stores, two workers with their claims. Faked: what a run does, which is to wait
// until the test releases it. Judged by the order in which runs start, never by time.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { bareOutcome, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import type { RunOutcome } from '../runs/domain/run-outcome.js';
import type { ActiveRun } from './active-run.service.js';
import { JobWorker } from './job.worker.js';
import { EndRun } from './end-run.usecase.js';

const WORKERS = 2;
const CONCURRENCY = 3;
const SLOTS = WORKERS * CONCURRENCY;
const QUEUED = 2_000;

describe('beside a tenant with 2,000 queued files', () => {
  let kiln: JobsHarness;
  const workers: JobWorker[] = [];
  /** Tenants, in the order in which runs started. */
  const starts: string[] = [];
  /** Lets the oldest run go. */
  const running: (() => void)[] = [];
  let large: string;

  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    starts.length = 0;
    running.length = 0;
    await kiln.clear();
  });
  afterAll(() => kiln.close());

  const addLarge = async () => {
    large = uuidv7();
    await kiln.addMany(large, QUEUED);
  };
  function startWorkers(reserved = 0): void {
    const { claims, completions, leases, database } = kiln;
    const endRun = new EndRun(database, leases, 20, silentLogger);
    const execute = ({ job, signal }: Pick<ActiveRun, 'job' | 'signal'>) => {
      starts.push(job.tenant_id);
      return new Promise<RunOutcome>((resolve, reject) => {
        running.push(() => resolve(bareOutcome));
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    };
    const parts = { claims, completions, leases, runJob: { execute }, endRun, logger: silentLogger };
    for (let index = 0; index < WORKERS; index++) {
      const worker = new JobWorker({
        ...parts,
        concurrency: CONCURRENCY,
        reserved,
        sandboxes: CONCURRENCY,
        heartbeatMs: 5_000,
        onReleased: () => {},
      });
      worker.start();
      workers.push(worker);
    }
  }
  const started = (count: number) => eventually(() => expect(starts.length).toBeGreaterThanOrEqual(count));
  /** One run after the other ends, until so many more have started. */
  async function finish(runs: number): Promise<void> {
    for (let run = 0; run < runs; run++) {
      running.shift()?.();
      await started(SLOTS + run + 1);
    }
  }

  it('a single file is the next to start once any of the running jobs has ended', async () => {
    await addLarge();
    startWorkers();
    await started(SLOTS);
    expect(new Set(starts)).toStrictEqual(new Set([large]));
    const small = uuidv7();
    await kiln.add(small);
    await finish(1);
    expect(starts[SLOTS]).toBe(small);
  });

  it('a single file starts in a reserved run, while the large tenant has all other runs and none of them ends', async () => {
    await addLarge();
    startWorkers(1);
    await started(SLOTS);
    const small = [uuidv7(), uuidv7()];
    for (const tenant of small) {
      await kiln.add(tenant);
      for (const worker of workers) worker.wakeUp();
    }
    await started(SLOTS + small.length);
    expect(starts.slice(0, SLOTS)).toStrictEqual(Array.from({ length: SLOTS }, () => large));
    expect(new Set(starts.slice(SLOTS))).toStrictEqual(new Set(small));
  });

  it('a single file that finds free workers is among the first that start', async () => {
    await addLarge();
    const small = uuidv7();
    await kiln.add(small);
    startWorkers();
    await started(SLOTS);
    expect(starts.slice(0, SLOTS)).toContain(small);
  });

  it('each of thirty tenants with a single file starts before a second file of the large tenant', async () => {
    await addLarge();
    startWorkers();
    await started(SLOTS);
    const small = Array.from({ length: 30 }, () => uuidv7());
    for (const tenant of small) await kiln.add(tenant);
    await finish(small.length + 1);
    const next = starts.slice(SLOTS, SLOTS + small.length + 1);
    expect(small.filter((tenant) => !next.includes(tenant))).toStrictEqual([]);
  });

  it('a second tenant with 2,000 files gets every other start', async () => {
    await addLarge();
    const other = uuidv7();
    await kiln.addMany(other, QUEUED);
    startWorkers();
    await started(SLOTS);
    await finish(40);
    const mine = starts.slice(0, SLOTS + 40).filter((tenant) => tenant === other).length;
    expect(Math.abs(mine - (SLOTS + 40) / 2)).toBeLessThanOrEqual(WORKERS);
  });
});
