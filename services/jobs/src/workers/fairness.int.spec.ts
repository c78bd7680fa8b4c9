// Real: Postgres, the stores, two workers with their claims and their settling. Faked: what a run does, which is to wait
// until it is let go. Judged by the order in which runs start, never by time.
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { bareOutcome, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import type { RunOutcome } from '../domain/run-outcome.js';
import type { ActiveRun } from './active-run.js';
import { JobWorker } from './job.worker.js';
import { SettleJob } from './settle-job.js';

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

  before(async () => {
    kiln = await startJobs();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    starts.length = 0;
    running.length = 0;
    await kiln.clear();
  });
  after(() => kiln.close());

  const addLarge = async () => {
    large = uuidv7();
    await kiln.addMany(large, QUEUED);
  };
  function startWorkers(): void {
    const { claims, completions, leases, database } = kiln;
    const settleJob = new SettleJob(database, leases, 20, silentLogger);
    const execute = ({ job, signal }: Pick<ActiveRun, 'job' | 'signal'>) => {
      starts.push(job.tenant_id);
      return new Promise<RunOutcome>((resolve, reject) => {
        running.push(() => resolve(bareOutcome));
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    };
    const parts = { claims, completions, leases, runJob: { execute }, settleJob, logger: silentLogger };
    for (let index = 0; index < WORKERS; index++) {
      const worker = new JobWorker({
        ...parts,
        concurrency: CONCURRENCY,
        sandboxes: CONCURRENCY,
        heartbeatMs: 5_000,
        onReleased: () => {},
      });
      worker.start();
      workers.push(worker);
    }
  }
  const started = (count: number) =>
    eventually(() => assert.ok(starts.length >= count, `${starts.length} of ${count}`));
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
    assert.deepEqual(new Set(starts), new Set([large]));
    const small = uuidv7();
    await kiln.add(small);
    await finish(1);
    assert.equal(starts[SLOTS], small);
  });

  it('a single file that finds free workers is among the first that start', async () => {
    await addLarge();
    const small = uuidv7();
    await kiln.add(small);
    startWorkers();
    await started(SLOTS);
    assert.ok(starts.slice(0, SLOTS).includes(small));
  });

  it('each of thirty tenants with a single file waits for the others’ and for no second one of the large', async () => {
    await addLarge();
    startWorkers();
    await started(SLOTS);
    const small = Array.from({ length: 30 }, () => uuidv7());
    for (const tenant of small) await kiln.add(tenant);
    await finish(small.length + 1);
    const next = starts.slice(SLOTS, SLOTS + small.length + 1);
    assert.deepEqual(
      small.filter((tenant) => !next.includes(tenant)),
      [],
    );
  });

  it('a tenant with 2,000 as well gets every other start', async () => {
    await addLarge();
    const other = uuidv7();
    await kiln.addMany(other, QUEUED);
    startWorkers();
    await started(SLOTS);
    await finish(40);
    const mine = starts.slice(0, SLOTS + 40).filter((tenant) => tenant === other).length;
    assert.ok(Math.abs(mine - (SLOTS + 40) / 2) <= WORKERS, `${mine} of ${SLOTS + 40}`);
  });
});
