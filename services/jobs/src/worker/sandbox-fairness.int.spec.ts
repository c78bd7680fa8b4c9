// Real: Postgres, the stores, a worker with its claims. Faked: what a run does, which is to hold its sandbox until
// the test ends it. Judged by the order in which runs start, never by time.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { bareOutcome, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { JobWorker, type JobWorkerOptions } from './job.worker.js';
import { EndRun } from './end-run.usecase.js';

interface Running {
  tenantId: string;
  leaveSandbox: () => void;
  end: () => void;
}

describe('a worker with two sandboxes and room for six jobs', () => {
  let kiln: JobsHarness;
  let worker: JobWorker;
  const runs: Running[] = [];
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(async () => {
    await worker.stop();
    runs.length = 0;
    await kiln.clear();
  });
  afterAll(() => kiln.close());

  const execute: JobWorkerOptions['runJob']['execute'] = ({ job, slot, signal }) =>
    new Promise((resolve, reject) => {
      runs.push({ tenantId: job.tenant_id, leaveSandbox: () => slot.leave(), end: () => resolve(bareOutcome) });
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  function startWorker(): void {
    const { claims, completions, leases, database } = kiln;
    const endRun = new EndRun(database, leases, 20, silentLogger);
    const parts = { claims, completions, leases, runJob: { execute }, endRun, logger: silentLogger };
    worker = new JobWorker({ ...parts, concurrency: 6, sandboxes: 2, heartbeatMs: 5_000, onReleased: () => {} });
    worker.start();
  }
  const started = (count: number) => eventually(() => expect(runs).toHaveLength(count));
  const end = async (index: number) => {
    runs[index]?.end();
    await started(runs.length + 1);
  };
  const statuses = async (tenantId: string) => {
    const rows = await kiln.sql<{ status: string }>('select status from jobs where tenant_id = $1', [tenantId]);
    return rows.map(({ status }) => status).sort();
  };

  it('leaves slow files without a sandbox queued, and gives the next sandbox to the other tenant', async () => {
    const [slow, quick] = [uuidv7(), uuidv7()];
    await kiln.addMany(slow, 6);
    startWorker();
    await started(2);
    await kiln.add(quick);
    expect(await statuses(slow)).toStrictEqual(['processing', 'processing', 'queued', 'queued', 'queued', 'queued']);
    await end(0);
    expect(runs[2]?.tenantId).toBe(quick);
    const expected = ['completed', 'processing', 'queued', 'queued', 'queued', 'queued'];
    await eventually(async () => expect(await statuses(slow)).toStrictEqual(expected));
  });

  it('does not give the last sandbox to the tenant that holds the other one while others wait', async () => {
    const [slow, quick] = [uuidv7(), uuidv7()];
    await kiln.addMany(slow, 6);
    startWorker();
    await started(2);
    await kiln.addMany(quick, 4);
    await end(0);
    for (let index = 2; index < 5; index++) await end(index);
    expect(runs.slice(2).map(({ tenantId }) => tenantId)).toStrictEqual([quick, quick, quick, quick]);
    await end(5);
    // No other tenant waits any more.
    expect(runs[6]?.tenantId).toBe(slow);
  });

  it('begins another job as soon as a run no longer needs its sandbox, up to six', async () => {
    await kiln.addMany(uuidv7(), 10);
    startWorker();
    for (let count = 2; count < 6; count++) {
      await started(count);
      runs[count - 2]?.leaveSandbox();
    }
    await started(6);
    runs[4]?.leaveSandbox();
    expect(worker.runningCount).toBe(6);
    await end(0);
    // A finished run counts until it is written.
    await eventually(() => expect(worker.runningCount).toBe(6));
  });
});
