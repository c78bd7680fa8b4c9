// Real: Postgres, the stores, claims and the ending of runs. Faked: what a run does (RunJob).
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, type EventData, type jobsEvents } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import type { ClaimedJob } from '../jobs/job.rows.js';
import type { Lease } from '../leases/lease.store.js';
import { bareOutcome, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { refuseEvents, statedEvents } from '../test/stated-events.js';
import { JobWorker, type JobWorkerOptions } from './job.worker.js';
import { EndRun } from './end-run.usecase.js';

type RunOutcomeData = EventData<(typeof jobsEvents)['processingCompleted']>;
type Execute = (job: ClaimedJob, lease: Lease, signal: AbortSignal) => Promise<'markdown'[]>;

const untilAborted: Execute = (_job, _lease, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/** Jobs are often added here by hand, which wakes no worker. */
const POLL_MS = 1_000;
const HOUR_MS = 3_600_000;

describe('a job worker', () => {
  let kiln: JobsHarness;
  const workers: JobWorker[] = [];
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await kiln.clear();
  });
  afterAll(() => kiln.close());

  function startWorker(execute: Execute, concurrency = 2, options: Partial<JobWorkerOptions> = {}): JobWorker {
    const { claims, completions, leases } = kiln;
    const endRun = new EndRun(kiln.database, leases, 20, silentLogger);
    const runJob: JobWorkerOptions['runJob'] = {
      execute: async ({ job, lease, signal }) => ({ ...bareOutcome, variants: await execute(job, lease, signal) }),
    };
    const parts = { claims, completions, leases, runJob, endRun, logger: silentLogger };
    const worker = new JobWorker({
      ...parts,
      concurrency,
      sandboxes: concurrency,
      heartbeatMs: 50,
      pollMs: POLL_MS,
      onReleased: () => {},
      ...options,
    });
    worker.start();
    workers.push(worker);
    return worker;
  }
  const statusIs = (tenantId: string, jobId: string, status: string) =>
    eventually(async () => expect((await kiln.stored(tenantId, jobId)).status).toBe(status));
  const finished = async () => {
    const [row] = await kiln.sql<{ count: number }>(
      `select count(*)::int as count from jobs where status = 'completed'`,
    );
    return row?.count ?? 0;
  };

  it('runs every job once, and no more at a time than it has sandboxes', async () => {
    await kiln.addMany(uuidv7(), 20);
    await kiln.addMany(uuidv7(), 20);
    const runs: string[] = [];
    let running = 0;
    let most = 0;
    let fill: () => void = () => {};
    const full = new Promise<void>((resolve) => (fill = resolve));
    const worker = startWorker(async (job) => {
      most = Math.max(most, ++running);
      if (running === 3) fill();
      await full;
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      runs.push(job.id);
      return [];
    }, 3);
    await eventually(async () => expect(await finished()).toBe(40));
    expect(new Set(runs).size).toBe(40);
    expect(runs).toHaveLength(40);
    expect(most).toBe(3);
    await eventually(() => expect(worker.runningCount).toBe(0));
  });

  it('shares the jobs of a single tenant with other workers, without waiting for a safety poll', async () => {
    await kiln.addMany(uuidv7(), 120);
    for (let index = 0; index < 4; index++) startWorker(async () => [], undefined, { pollMs: HOUR_MS });
    await eventually(async () => expect(await finished()).toBe(120));
  });

  it('is not blocked by a slow job among those it claimed together', async () => {
    const tenantId = uuidv7();
    await kiln.addMany(tenantId, 20);
    let slow: string | null = null;
    let end: () => void = () => {};
    startWorker((job) => {
      if (slow !== null) return Promise.resolve([]);
      slow = job.id;
      return new Promise((resolve) => (end = () => resolve([])));
    }, 4);
    await eventually(async () => expect(await finished()).toBe(19));
    end();
    await eventually(async () => expect(await finished()).toBe(20));
  });

  it('emits what the run has found out about its file, whether completed in a batch or alone', async () => {
    const tenantId = uuidv7();
    const ids = [await kiln.add(tenantId, { content_type: null }), await kiln.add(tenantId, { content_type: null })];
    await kiln.sql('update jobs set provider = null where tenant_id = $1', [tenantId]);
    let goOn: () => void = () => {};
    const ready = new Promise<void>((resolve) => (goOn = resolve));
    startWorker(() => ready.then(() => ['markdown']));
    for (const id of ids) await statusIs(tenantId, id, 'processing');
    await kiln.database.transaction(async (transaction) => {
      // A run at whose job another is cannot be ended together with others.
      await transaction.query({ name: '', text: 'select 1 from jobs where id = $1 for update' }, [ids[0]]);
      goOn();
      await statusIs(tenantId, ids[1] ?? '', 'completed');
    });
    await statusIs(tenantId, ids[0] ?? '', 'completed');
    const facts = (await statedEvents(kiln.database)).map(({ data }) => data as Partial<RunOutcomeData>);
    for (const { content_type, provider, variants } of facts)
      expect([content_type, provider, variants]).toStrictEqual(['text/markdown', 'document_extractor', ['markdown']]);
    expect(facts).toHaveLength(2);
  });

  it('completes the other runs of a batch when one of them cannot be completed', async () => {
    const tenantId = uuidv7();
    const refused = await kiln.add(tenantId);
    const others = [await kiln.add(tenantId), await kiln.add(tenantId)];
    const allow = await refuseEvents(kiln.database, encodeId('job', refused));
    let goOn: () => void = () => {};
    const allowed = new Promise<void>((resolve) => (goOn = resolve));
    startWorker(async (job) => {
      if (job.failures > 0) await allowed;
      return [];
    }, 3);
    for (const other of others) await statusIs(tenantId, other, 'completed');
    await eventually(async () => expect((await kiln.stored(tenantId, refused)).failures).toBe(1));
    await allow();
    goOn();
    await statusIs(tenantId, refused, 'completed');
    for (const id of [refused, ...others]) expect(await kiln.eventsOf(id)).toStrictEqual(['file.processing.completed']);
  });

  it('stops a run that has lost its lease, and writes nothing for it', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    let reason: unknown;
    startWorker(async (job, lease, signal) => untilAborted(job, lease, signal).finally(() => (reason = signal.reason)));
    await statusIs(tenantId, jobId, 'processing');
    await kiln.sql('update jobs set fence = fence + 1 where id = $1', [jobId]);
    await eventually(() => expect(reason).toBeTruthy());
    const { status, fence, failures } = await kiln.stored(tenantId, jobId);
    expect([status, fence, failures]).toStrictEqual(['processing', 2, 0]);
    expect(await kiln.eventsOf(jobId)).toStrictEqual([]);
  });

  it('removes idle tenants from the queue when it stops', async () => {
    for (let tenant = 0; tenant < 3; tenant++) await kiln.add(uuidv7());
    const worker = startWorker(() => Promise.resolve([]));
    await eventually(async () => expect(await finished()).toBe(3));
    await worker.stop();
    expect(await kiln.sql('select tenant_id from waiting_tenants')).toStrictEqual([]);
  });

  it('can run a job again while an earlier run that lost its lease is still stopping', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    let endOld: () => void = () => {};
    let secondSignal: AbortSignal | undefined;
    const worker = startWorker(async (job, lease, signal) => {
      if (job.fence === 1) return new Promise((resolve) => (endOld = () => resolve([])));
      secondSignal = signal;
      return untilAborted(job, lease, signal);
    });
    await statusIs(tenantId, jobId, 'processing');
    await kiln.leases.release({ tenantId, jobId, fence: 1 }, { error: null, counted: false, delaySeconds: 0 });
    await eventually(() => expect(worker.runningCount).toBe(2));
    endOld();
    await eventually(() => expect(worker.runningCount).toBe(1));
    await kiln.loseLeases(jobId);
    await eventually(async () => {
      const held = await kiln.sql('select 1 from jobs where id = $1 and lease_expires_at > now()', [jobId]);
      // The worker still renews the lease of the second run.
      expect(held).toHaveLength(1);
    });
    expect(secondSignal?.aborted).toBe(false);
  });

  it('releases its jobs at once when it stops', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const worker = startWorker(untilAborted);
    await statusIs(tenantId, jobId, 'processing');
    await worker.stop();
    const { status, failures, error } = await kiln.stored(tenantId, jobId);
    expect([status, failures, error]).toStrictEqual(['queued', 0, null]);
    expect((await kiln.claimed()).job.id).toBe(jobId);
  });

  it('releases even the jobs of runs that ignore their abort', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    let end: () => void = () => {};
    const worker = startWorker(() => new Promise((resolve) => (end = () => resolve([]))));
    await statusIs(tenantId, jobId, 'processing');
    await worker.stop();
    expect((await kiln.stored(tenantId, jobId)).status).toBe('queued');
    const next = await kiln.claimed();
    end();
    await eventually(() => expect(worker.runningCount).toBe(0));
    expect((await kiln.stored(tenantId, jobId)).fence).toBe(next.lease.fence);
    expect((await kiln.stored(tenantId, jobId)).status).toBe('processing');
  });

  it('claims nothing after it was stopped', async () => {
    await startWorker(untilAborted).stop();
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    workers.forEach((worker) => worker.wakeUp());
    expect((await kiln.claimed()).job.id).toBe(jobId);
  });

  it('handles the failure of a run, and continues with the next job', async () => {
    const tenantId = uuidv7();
    const corrupt = await kiln.add(tenantId, { filename: 'corrupt.md' });
    const buggy = await kiln.add(tenantId, { filename: 'buggy.md' });
    const good = await kiln.add(tenantId);
    startWorker(async (job) => {
      if (job.filename === 'corrupt.md') throw new ExtractionError('corrupt_file', 'The file is damaged.');
      if (job.filename === 'buggy.md' && job.failures === 0) throw new Error('bug');
      return ['markdown'];
    }, 1);
    await statusIs(tenantId, good, 'completed');
    await statusIs(tenantId, corrupt, 'failed');
    await statusIs(tenantId, buggy, 'completed');
    expect((await kiln.stored(tenantId, buggy)).failures).toBe(1);
    expect(await kiln.eventsOf(corrupt)).toStrictEqual(['file.processing.failed', 'job.failed']);
    expect(await kiln.eventsOf(good)).toStrictEqual(['file.processing.completed']);
  });

  it('aborts a run that is beyond its deadline, three times, and then fails its job', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const reasons: string[] = [];
    startWorker(
      (job, lease, signal) => untilAborted(job, lease, signal).finally(() => reasons.push(String(signal.reason))),
      2,
      { runDeadlineMs: 0 },
    );
    for (const run of [1, 2]) {
      await eventually(async () => expect((await kiln.stored(tenantId, jobId)).failures).toBeGreaterThanOrEqual(run));
      await kiln.sql(`update jobs set due_at = now() - interval '1 minute' where id = $1`, [jobId]);
    }
    await statusIs(tenantId, jobId, 'failed');
    expect(reasons).toStrictEqual(Array(3).fill('Error: the run has not ended within 0 ms'));
    expect((await kiln.stored(tenantId, jobId)).error?.code).toBe('internal');
  });

  it('renews no lease of a run that is beyond its deadline, so that one that ignores its abort loses its job', async () => {
    await kiln.add(uuidv7());
    const renewed: Lease[] = [];
    const extend = (runs: Lease[]) => {
      renewed.push(...runs);
      return kiln.leases.extend(runs);
    };
    const leases = Object.create(kiln.leases, { extend: { value: extend } }) as typeof kiln.leases;
    let end: () => void = () => {};
    let overdue: AbortSignal | undefined;
    const execute: Execute = (_job, _lease, signal) => {
      overdue = signal;
      return new Promise((resolve) => (end = () => resolve([])));
    };
    const worker = startWorker(execute, 1, { runDeadlineMs: 0, leases });
    await eventually(() => expect(overdue?.aborted).toBe(true));
    worker.checkLeases();
    end();
    await eventually(() => expect(worker.runningCount).toBe(0));
    expect(renewed).toStrictEqual([]);
  });

  it('stops a run at once when its file is deleted, and keeps no row and no event of it', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    let reason: unknown;
    const worker = startWorker(async (job, lease, signal) =>
      untilAborted(job, lease, signal).finally(() => (reason = signal.reason)),
    );
    await eventually(() => expect(worker.runningCount).toBe(1));
    const { file_id: fileId } = await kiln.stored(tenantId, jobId);
    // Returns whether a run has to be stopped.
    expect(await kiln.deletedFiles.deleteJobs(kiln.database, tenantId, fileId)).toBe(true);
    worker.checkLeases();
    await eventually(() => expect(worker.runningCount).toBe(0));
    expect(reason).toBeInstanceOf(Error);
    expect(await kiln.sql('select 1 from jobs')).toStrictEqual([]);
    expect(await kiln.eventsOf(jobId)).toStrictEqual([]);
  });
});
