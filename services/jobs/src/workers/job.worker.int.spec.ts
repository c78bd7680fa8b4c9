// Real: Postgres, the stores, the claims and the settling. Faked: what a run does (RunJob).
import { encodeId, type EventData, type jobsEvents } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { ClaimedJob } from '../store/job.rows.js';
import type { Lease } from '../store/lease.store.js';
import { bareOutcome, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { refuseEvents, statedEvents } from '../test/stated-events.js';
import { JobWorker, type JobWorkerOptions } from './job.worker.js';
import { SettleJob } from './settle-job.js';

type RunOutcomeData = EventData<(typeof jobsEvents)['processingCompleted']>;
type Execute = (job: ClaimedJob, lease: Lease, signal: AbortSignal) => Promise<'markdown'[]>;

const untilAborted: Execute = (_job, _lease, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const HOUR_MS = 3_600_000;
/** Jobs are often added here by hand, which wakes no worker. */
const POLL_MS = 1_000;

describe('a job worker', () => {
  let kiln: JobsHarness;
  const workers: JobWorker[] = [];
  before(async () => {
    kiln = await startJobs();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await kiln.clear();
  });
  after(() => kiln.close());

  function startWorker(execute: Execute, concurrency = 2, heartbeatMs = 50): JobWorker {
    const { claims, completions, leases } = kiln;
    const settleJob = new SettleJob(kiln.database, leases, 20, silentLogger);
    const runJob: JobWorkerOptions['runJob'] = {
      execute: async ({ job, lease, signal }) => ({ ...bareOutcome, variants: await execute(job, lease, signal) }),
    };
    const parts = { claims, completions, leases, runJob, settleJob, logger: silentLogger };
    const worker = new JobWorker({
      ...parts,
      concurrency,
      sandboxes: concurrency,
      heartbeatMs,
      pollMs: POLL_MS,
      onReleased: () => {},
    });
    worker.start();
    workers.push(worker);
    return worker;
  }
  const statusIs = (tenantId: string, jobId: string, status: string) =>
    eventually(async () => assert.equal((await kiln.stored(tenantId, jobId)).status, status));
  const finished = async () => {
    const [row] = await kiln.sql<{ count: number }>(
      `select count(*)::int as count from jobs where status = 'completed'`,
    );
    return row?.count ?? 0;
  };

  it('runs every job once, never more at a time than it may', async () => {
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
    await eventually(async () => assert.equal(await finished(), 40));
    assert.equal(new Set(runs).size, 40);
    assert.equal(runs.length, 40);
    assert.equal(most, 3);
    await eventually(() => assert.equal(worker.runningCount, 0));
  });

  it('shares the jobs of a single tenant with others without anyone waiting for a poll', async () => {
    await kiln.addMany(uuidv7(), 120);
    const startedAt = performance.now();
    for (let index = 0; index < 4; index++) startWorker(async () => []);
    await eventually(async () => assert.equal(await finished(), 120));
    assert.ok(performance.now() - startedAt < 5_000);
  });

  it('is not held up by a slow job among those it took together', async () => {
    const tenantId = uuidv7();
    await kiln.addMany(tenantId, 20);
    let slow: string | null = null;
    let end: () => void = () => {};
    startWorker((job) => {
      if (slow !== null) return Promise.resolve([]);
      slow = job.id;
      return new Promise((resolve) => (end = () => resolve([])));
    }, 4);
    await eventually(async () => assert.equal(await finished(), 19));
    end();
    await eventually(async () => assert.equal(await finished(), 20));
  });

  it('states what the run has found out of its file, whether its end is written with others or by itself', async () => {
    const tenantId = uuidv7();
    const ids = [await kiln.add(tenantId, { content_type: null }), await kiln.add(tenantId, { content_type: null })];
    await kiln.sql('update jobs set provider = null where tenant_id = $1', [tenantId]);
    let goOn: () => void = () => {};
    const ready = new Promise<void>((resolve) => (goOn = resolve));
    startWorker(() => ready.then(() => ['markdown']));
    for (const id of ids) await statusIs(tenantId, id, 'processing');
    await kiln.database.transaction(async (transaction) => {
      // A run at whose job another is can not be ended together with others.
      await transaction.query({ name: '', text: 'select 1 from jobs where id = $1 for update' }, [ids[0]]);
      goOn();
      await statusIs(tenantId, ids[1] ?? '', 'completed');
    });
    await statusIs(tenantId, ids[0] ?? '', 'completed');
    const facts = (await statedEvents(kiln.database)).map(({ data }) => data as Partial<RunOutcomeData>);
    for (const { content_type, provider, variants } of facts)
      assert.deepEqual([content_type, provider, variants], ['text/markdown', 'document_extractor', ['markdown']]);
    assert.equal(facts.length, 2);
  });

  it('ends the others when the end of one of them can’t be written', async () => {
    const tenantId = uuidv7();
    const refused = await kiln.add(tenantId);
    const others = [await kiln.add(tenantId), await kiln.add(tenantId)];
    const allow = await refuseEvents(kiln.database, encodeId('job', refused));
    startWorker(() => Promise.resolve([]), 3);
    for (const other of others) await statusIs(tenantId, other, 'completed');
    await eventually(async () => assert.equal((await kiln.stored(tenantId, refused)).failures, 1));
    await allow();
    await statusIs(tenantId, refused, 'completed');
    for (const id of [refused, ...others]) assert.deepEqual(await kiln.eventsOf(id), ['file.processing.completed']);
  });

  it('stops a run whose lease was lost, and writes nothing for it', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    let reason: unknown;
    startWorker(async (job, lease, signal) => untilAborted(job, lease, signal).finally(() => (reason = signal.reason)));
    await statusIs(tenantId, jobId, 'processing');
    await kiln.sql('update jobs set fence = fence + 1 where id = $1', [jobId]);
    await eventually(() => assert.ok(reason));
    const { status, fence, failures } = await kiln.stored(tenantId, jobId);
    assert.deepEqual([status, fence, failures], ['processing', 2, 0]);
    assert.deepEqual(await kiln.eventsOf(jobId), []);
  });

  it('lets go of a lease once all that it took with it has ended, and not before', async () => {
    const tenantId = uuidv7();
    await kiln.addMany(tenantId, 2);
    let endSlow: () => void = () => {};
    let begun = 0;
    startWorker(
      () => (begun++ === 0 ? new Promise((resolve) => (endSlow = () => resolve([]))) : Promise.resolve([])),
      2,
      // A lease that is renewed at that moment is passed over, and runs out by itself.
      HOUR_MS,
    );
    await eventually(async () => assert.equal(await finished(), 1));
    const next = await kiln.add(tenantId);
    await statusIs(tenantId, next, 'completed');
    const leases = () => kiln.sql('select cardinality(job_ids) as runs from worker_leases');
    // The lease of the job that came later goes with the next claim; that of the two stays as long as one of them runs.
    await eventually(async () => assert.deepEqual(await leases(), [{ runs: 2 }]));
    endSlow();
    await eventually(async () => assert.deepEqual(await leases(), []));
  });

  it('leaves no tenant waiting that has no job, when it stops', async () => {
    for (let tenant = 0; tenant < 3; tenant++) await kiln.add(uuidv7());
    const worker = startWorker(() => Promise.resolve([]));
    await eventually(async () => assert.equal(await finished(), 3));
    await worker.stop();
    assert.deepEqual(await kiln.sql('select tenant_id from waiting_tenants'), []);
  });

  it('runs a job it had lost again while the old run is still winding down, and keeps both apart', async () => {
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
    await eventually(() => assert.equal(worker.runningCount, 2));
    endOld();
    await eventually(() => assert.equal(worker.runningCount, 1));
    await kiln.loseLeases(jobId);
    await eventually(async () => {
      const { lease_ends_at: end } = await kiln.stored(tenantId, jobId);
      assert.ok(end && end.getTime() > Date.now() + 10_000, 'the second run is no longer kept alive');
    });
    assert.equal(secondSignal?.aborted, false);
  });

  it('gives what it runs back at once when it stops', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const worker = startWorker(untilAborted);
    await statusIs(tenantId, jobId, 'processing');
    const startedAt = performance.now();
    await worker.stop();
    assert.ok(performance.now() - startedAt < 2_000);
    const { status, failures, error } = await kiln.stored(tenantId, jobId);
    assert.deepEqual([status, failures, error], ['queued', 0, null]);
    assert.equal((await kiln.claimed()).job.id, jobId);
  });

  it('gives back within five seconds even what does not heed its abort', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    let end: () => void = () => {};
    const worker = startWorker(() => new Promise((resolve) => (end = () => resolve([]))));
    await statusIs(tenantId, jobId, 'processing');
    const startedAt = performance.now();
    await worker.stop();
    assert.ok(performance.now() - startedAt < 5_000);
    assert.equal((await kiln.stored(tenantId, jobId)).status, 'queued');
    const next = await kiln.claimed();
    end();
    await eventually(() => assert.equal(worker.runningCount, 0));
    assert.equal((await kiln.stored(tenantId, jobId)).fence, next.lease.fence);
    assert.equal((await kiln.stored(tenantId, jobId)).status, 'processing');
  });

  it('claims nothing any more once it was told to stop', async () => {
    await startWorker(untilAborted).stop();
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    workers.forEach((worker) => worker.wakeUp());
    assert.equal((await kiln.claimed()).job.id, jobId);
  });

  it('judges what a run throws, and goes on with the next job', async () => {
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
    assert.equal((await kiln.stored(tenantId, buggy)).failures, 1);
    assert.deepEqual(await kiln.eventsOf(corrupt), ['file.processing.failed', 'job.failed']);
    assert.deepEqual(await kiln.eventsOf(good), ['file.processing.completed']);
  });

  it('stops a run at once when its file is deleted, and nothing of that run is kept or said', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    let reason: unknown;
    const worker = startWorker(async (job, lease, signal) =>
      untilAborted(job, lease, signal).finally(() => (reason = signal.reason)),
    );
    await eventually(() => assert.equal(worker.runningCount, 1));
    const { file_id: fileId } = await kiln.stored(tenantId, jobId);
    assert.equal(
      await kiln.deletedFiles.forget(kiln.database, tenantId, fileId),
      true,
      'it says that a run is to be told',
    );
    worker.checkLeases();
    await eventually(() => assert.equal(worker.runningCount, 0));
    assert.ok(reason instanceof Error);
    assert.deepEqual(await kiln.sql('select 1 from jobs'), []);
    assert.deepEqual(await kiln.eventsOf(jobId), []);
  });
});
