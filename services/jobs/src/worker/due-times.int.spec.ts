// Real: Postgres, the workers. Faked: what a run does. Polls are an hour apart, unless a test is about them.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { ClaimStore } from '../claims/claim.store.js';
import { BATCH_WAIT_SECONDS, bareOutcome, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { JobWorker } from './job.worker.js';
import { ReclaimWorker } from '../leases/reclaim.worker.js';
import { EndRun } from './end-run.usecase.js';

const HOUR_MS = 3_600_000;
const POLL_MS = 200;

describe('a job that becomes due', () => {
  let kiln: JobsHarness;
  const tenantId = uuidv7();
  const running: { stop: () => Promise<void> }[] = [];
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((worker) => worker.stop()));
    await kiln.clear();
  });
  afterAll(() => kiln.close());

  function startWorker(pollMs: number, run = () => Promise.resolve()) {
    const { claims, completions, leases } = kiln;
    const endRun = new EndRun(kiln.database, leases, 20, silentLogger);
    const runJob = { execute: () => run().then(() => ({ ...bareOutcome, variants: [] })) };
    const parts = { claims, completions, leases, runJob, endRun, logger: silentLogger };
    const limits = { concurrency: 2, sandboxes: 2, heartbeatMs: 5_000, pollMs };
    const worker = new JobWorker({ ...parts, ...limits, onReleased: () => {} });
    worker.start();
    running.push(worker);
    return worker;
  }
  function startReclaim(pollMs: number) {
    const { database, leases, tenants, deletedFiles } = kiln;
    const parts = { database, leases, tenants, deletedFiles, wakeUp: { send: () => {} }, logger: silentLogger };
    const worker = new ReclaimWorker({ ...parts, pollMs });
    worker.start();
    running.push(worker);
  }
  const becomes = (jobId: string, status: string) =>
    eventually(async () => expect((await kiln.stored(tenantId, jobId)).status).toBe(status));
  /** Makes the job due in two seconds, without a word to the worker. */
  const putOff = async (jobId: string) => {
    await kiln.sql(`update jobs set due_at = now() + interval '2 s' where id = $1`, [jobId]);
    await kiln.sql(`update waiting_tenants set due_at = now() + interval '2 s' where tenant_id = $1`, [tenantId]);
  };
  /** By the clock of the database, which decides. */
  const isDue = async (jobId: string) =>
    (await kiln.sql<{ due: boolean }>('select clock_timestamp() >= due_at as due from jobs where id = $1', [jobId]))[0]
      ?.due;
  const claimFor = (leaseSeconds: number) =>
    new ClaimStore(kiln.database, kiln.tenants, {
      workerId: 'dead',
      lane: 'sandbox',
      leaseSeconds,
      batchWaitSeconds: BATCH_WAIT_SECONDS,
    }).claim(1);

  it('later is run at its time, without a safety poll', async () => {
    const jobId = await kiln.add(tenantId);
    await putOff(jobId);
    const due: (boolean | undefined)[] = [];
    startWorker(HOUR_MS, async () => void due.push(await isDue(jobId)));
    await becomes(jobId, 'completed');
    expect(due).toStrictEqual([true]);
  });

  it('again after a failure is run by the same worker, without a safety poll', async () => {
    const jobId = await kiln.add(tenantId);
    let runs = 0;
    startWorker(HOUR_MS, () => (++runs === 1 ? Promise.reject(new Error('a fault that may pass')) : Promise.resolve()));
    await becomes(jobId, 'completed');
    expect(runs).toBe(2);
  });

  it('beside those of a tenant whose row is locked is run once the lock is released', async () => {
    const [held, free] = [uuidv7(), uuidv7()];
    await kiln.add(held);
    await kiln.database.transaction(async (transaction) => {
      const lock = { name: '', text: 'select 1 from waiting_tenants where tenant_id = $1 for update' };
      await transaction.query(lock, [held]);
      await kiln.add(free);
      startWorker(HOUR_MS);
      const done = async () => (await kiln.sql(`select 1 from jobs where status = 'completed'`)).length;
      await eventually(async () => expect(await done()).toBe(1));
    });
    await eventually(async () => {
      expect(await kiln.sql(`select 1 from jobs where status = 'completed'`)).toHaveLength(2);
    });
  });

  it('and whose wake-up was lost is run after the next safety poll', async () => {
    const first = await kiln.add(tenantId);
    startWorker(POLL_MS);
    await becomes(first, 'completed');
    await becomes(await kiln.add(tenantId), 'completed');
  });

  it('because its worker died is queued again when the lease expires, without a safety poll', async () => {
    const jobId = await kiln.add(tenantId);
    await claimFor(2);
    startReclaim(HOUR_MS);
    await becomes(jobId, 'queued');
  });

  it('because its worker died is queued again in time, even when its lease began after the last round', async () => {
    startReclaim(POLL_MS);
    const jobId = await kiln.add(tenantId);
    await claimFor(1);
    await becomes(jobId, 'queued');
  });
});
