// Real: Postgres. Faked: the work of the runs, which ends at random.
import { appendEvents } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { completedEvent, leaseOf, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { placeJobs } from '../test/place-jobs.js';
import { SettleJob } from '../workers/settle-job.js';
import { JobChangeStore } from './job-change.store.js';
import { jobCancelled, jobRetried } from './job.events.js';

const transient = new Error('connection reset');

describe('a job that a caller changes', () => {
  let kiln: JobsHarness;
  let changes: JobChangeStore;
  let settleJob: SettleJob;
  before(async () => {
    kiln = await startJobs();
    changes = new JobChangeStore();
    settleJob = new SettleJob(kiln.database, kiln.leases, 20, silentLogger);
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  const tenantId = uuidv7();
  const cancel = (jobId: string, tenant = tenantId) =>
    kiln.database.transaction(async (transaction) => {
      const cancellation = await changes.cancel(transaction, tenant, jobId);
      if (cancellation?.job) await appendEvents(transaction, jobCancelled(cancellation.job));
      return cancellation;
    });
  const retry = (jobId: string, tenant = tenantId) =>
    kiln.database.transaction(async (transaction) => {
      const routing = { contentType: 'application/pdf', provider: 'document_extractor' as const };
      const job = await changes.retry(transaction, { tenantId: tenant, jobId }, routing);
      if (job) await appendEvents(transaction, jobRetried(job));
      return job;
    });
  const stored = (jobId: string) => kiln.stored(tenantId, jobId);

  it('is cancelled while it waits, with or without its bytes, and is never claimed', async () => {
    for (const ready of [true, false]) {
      const jobId = await kiln.add(tenantId, { ready });
      assert.equal((await cancel(jobId))?.was, 'queued');
      const { status, fence, completed_at } = await stored(jobId);
      assert.deepEqual([status, fence], ['cancelled', 1]);
      assert.ok(completed_at);
      assert.deepEqual(await kiln.eventsOf(jobId), ['job.cancelled']);
    }
    assert.equal(await kiln.claimNext(), null);
  });

  it('is taken from its run when it is cancelled: that keeps no lease, and settles nothing', async () => {
    const jobId = await kiln.add(tenantId);
    const { job, lease } = await kiln.claimed();
    assert.equal((await cancel(jobId))?.was, 'processing');
    assert.equal((await kiln.leases.extend([lease])).size, 0);
    await kiln.leases.report(lease, { step: 'index', progress: 0.7, provider: null, contentType: null, steps: [] });
    await settleJob.complete(lease, completedEvent(job));
    await settleJob.fail(job, lease, transient);
    await settleJob.giveBack(lease);
    const { status, step, lease_ends_at } = await stored(jobId);
    assert.deepEqual([status, step, lease_ends_at], ['cancelled', null, null]);
    assert.deepEqual(await kiln.eventsOf(jobId), ['job.cancelled']);
  });

  it('that has ended stays as it is', async () => {
    const jobId = await kiln.add(tenantId);
    const { job, lease } = await kiln.claimed();
    await settleJob.complete(lease, completedEvent(job));
    assert.deepEqual(await cancel(jobId), { was: 'completed', job: null });
    assert.equal(await retry(jobId), null);
    const cancelled = await kiln.add(tenantId);
    await cancel(cancelled);
    assert.deepEqual(await cancel(cancelled), { was: 'cancelled', job: null });
    assert.equal(await retry(cancelled), null);
    assert.deepEqual(await kiln.eventsOf(jobId), ['file.processing.completed']);
    assert.deepEqual(await kiln.eventsOf(cancelled), ['job.cancelled']);
  });

  it('is nobody else’s to change', async () => {
    const jobId = await kiln.add(tenantId);
    assert.equal(await cancel(jobId, uuidv7()), null);
    assert.equal(await cancel(uuidv7()), null);
    assert.equal((await stored(jobId)).status, 'queued');
    await kiln.sql(`update jobs set status = 'failed'`);
    await placeJobs(kiln);
    assert.equal(await retry(jobId, uuidv7()), null);
    assert.equal((await stored(jobId)).status, 'failed');
  });

  it('is tried as often as a new one when it is retried, and counts its attempts on', async () => {
    const jobId = await kiln.add(tenantId, { content_type: null });
    const failThrice = async () => {
      for (let run = 0; run < 3; run++) {
        assert.equal((await stored(jobId)).status, 'queued');
        await kiln.sql(`update queued_jobs set run_after = now()`);
        await kiln.tenants.restore();
        const { job, lease } = await kiln.claimed();
        await settleJob.fail(job, lease, transient);
      }
      assert.equal((await stored(jobId)).status, 'failed');
    };
    await failThrice();
    await kiln.sql('update jobs set lost_leases = 9, attempts = 100');
    const before = await stored(jobId);
    const retried = await retry(jobId);
    assert.ok(retried);
    const { failures, lost_leases, attempts, error, completed_at, ready, fence, content_type } = await stored(jobId);
    assert.deepEqual([failures, lost_leases, attempts, error, completed_at, ready], [0, 0, 100, null, null, true]);
    assert.ok(fence > before.fence);
    assert.equal(content_type, 'application/pdf');
    await failThrice();
    assert.equal((await stored(jobId)).attempts, 103);
  });

  it('whose upload expired can be retried once its bytes are there', async () => {
    const jobId = await kiln.add(tenantId, { ready: false });
    const error = { code: 'upload_expired' as const, message: 'late', retryable: false };
    await kiln.jobs.failWaiting(kiln.database, tenantId, jobId, error);
    await retry(jobId);
    assert.equal((await kiln.claimed()).job.id, jobId);
  });

  it('ends once and as its caller was told, however claims, runs, cancels and retries fall together', async () => {
    const JOBS = 200;
    await kiln.addMany(tenantId, JOBS);
    const ids = (await kiln.sql<{ id: string }>('select id from jobs')).map(({ id }) => id);
    const pick = () => ids[Math.floor(Math.random() * ids.length)] ?? '';
    const told = { cancelled: new Set<string>(), retried: 0 };

    async function work(): Promise<void> {
      for (;;) {
        // A cancel that is answered while the claim is under way may come after it.
        const cancelledBefore = new Set(told.cancelled);
        const job = await kiln.claimNext();
        if (!job) return;
        assert.ok(!cancelledBefore.has(job.id), 'claimed after its cancel was answered');
        const lease = leaseOf(job);
        if (Math.random() < 0.5) await kiln.leases.extend([lease]);
        const end = Math.random();
        if (end < 0.5) await settleJob.complete(lease, completedEvent(job));
        else if (end < 0.6) await kiln.leases.release(lease, { error: null, counted: false, delaySeconds: 0 });
        else await settleJob.fail({ ...job, attempts: 1_000 }, lease, transient);
      }
    }
    const isDone = async () =>
      (await kiln.sql(`select 1 from jobs where status in ('queued', 'processing') limit 1`)).length === 0;
    async function meddle(change: (jobId: string) => Promise<void>): Promise<void> {
      for (let round = 0; round < JOBS; round++) {
        await change(pick());
        if (round % 20 === 0 && (await isDone())) return;
      }
    }
    const cancelOne = async (jobId: string) => {
      if (!(await cancel(jobId))?.job) return;
      assert.ok(!told.cancelled.has(jobId), 'cancelled twice');
      told.cancelled.add(jobId);
    };
    const retryOne = async (jobId: string) => void ((await retry(jobId)) && told.retried++);
    await Promise.all([work(), work(), work(), meddle(cancelOne), meddle(cancelOne), meddle(retryOne)]);
    await work();

    const counts = new Map<string, number>();
    for (const id of ids) {
      const { status } = await stored(id);
      const events = await kiln.eventsOf(id);
      for (const type of events) counts.set(type, (counts.get(type) ?? 0) + 1);
      const ends = { completed: 'file.processing.completed', failed: 'job.failed', cancelled: 'job.cancelled' };
      assert.equal(events.at(-1), ends[status as keyof typeof ends], `${status}: ${events.join()}`);
      assert.equal(status === 'cancelled', told.cancelled.has(id));
    }
    assert.equal(counts.get('job.cancelled'), told.cancelled.size);
    assert.equal(counts.get('job.retried') ?? 0, told.retried);
    assert.ok(told.cancelled.size > 0, 'nothing was cancelled: the check proves nothing');
    assert.ok(told.retried > 0, 'nothing was retried: the check proves nothing');
  });
});
