// Real: Postgres. Faked: the work of the runs, which ends at random.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { appendEvents } from '@kiln/platform';
import { randomNumbers, testSeed } from '@kiln/testing/seed';
import { v7 as uuidv7 } from 'uuid';
import { completedEvent, leaseOf, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { EndRun } from '../worker/end-run.usecase.js';
import { JobChangeStore } from './job-change.store.js';
import { jobCancelled, jobRetried } from './job.events.js';
import { jobView } from './job.rows.js';

const SEED = testSeed();
const transient = new Error('connection reset');

describe('a job that a caller changes', () => {
  let kiln: JobsHarness;
  let changes: JobChangeStore;
  let endRun: EndRun;
  beforeAll(async () => {
    kiln = await startJobs();
    changes = new JobChangeStore();
    endRun = new EndRun(kiln.database, kiln.leases, 20, silentLogger);
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const tenantId = uuidv7();
  const cancel = (jobId: string, tenant = tenantId) =>
    kiln.database.transaction(async (transaction) => {
      const cancellation = await changes.cancel(transaction, tenant, jobId);
      if (cancellation?.job) await appendEvents(transaction, jobCancelled(cancellation.job));
      return cancellation;
    });
  const retry = (jobId: string, tenant = tenantId) =>
    kiln.database.transaction(async (transaction) => {
      const routing = { contentType: 'application/pdf', provider: 'document_extractor', lane: 'sandbox' } as const;
      const job = await changes.retry(transaction, { tenantId: tenant, jobId }, routing);
      if (job) await appendEvents(transaction, jobRetried(job));
      return job;
    });
  const stored = (jobId: string) => kiln.stored(tenantId, jobId);

  it('can be cancelled while it waits, with or without its bytes, and is then never claimed', async () => {
    for (const ready of [true, false]) {
      const jobId = await kiln.add(tenantId, { ready });
      expect((await cancel(jobId))?.was).toBe('queued');
      const job = await stored(jobId);
      expect([job.status, job.fence]).toStrictEqual(['cancelled', 1]);
      expect(jobView(job)).toMatchObject({ completed_at: null, ended_at: expect.any(String) });
      expect(await kiln.eventsOf(jobId)).toStrictEqual(['job.cancelled']);
    }
    expect(await kiln.claimNext()).toBeNull();
  });

  it('is taken from its run by a cancel: the run loses its lease and changes nothing', async () => {
    const jobId = await kiln.add(tenantId);
    const { job, lease } = await kiln.claimed();
    expect((await cancel(jobId))?.was).toBe('processing');
    expect((await kiln.leases.extend([lease])).size).toBe(0);
    await kiln.leases.report([
      { lease: lease, report: { step: 'index', progress: 0.7, provider: null, contentType: null, steps: [] } },
    ]);
    await endRun.complete({ lease, event: completedEvent(job) });
    await endRun.fail({ job, lease }, transient);
    await endRun.release(lease);
    const { status, step, lease_expires_at } = await stored(jobId);
    expect([status, step, lease_expires_at]).toStrictEqual(['cancelled', null, null]);
    expect(await kiln.eventsOf(jobId)).toStrictEqual(['job.cancelled']);
  });

  it('does not change once it has ended', async () => {
    const jobId = await kiln.add(tenantId);
    const { job, lease } = await kiln.claimed();
    await endRun.complete({ lease, event: completedEvent(job) });
    expect(await cancel(jobId)).toStrictEqual({ was: 'completed', job: null });
    expect(await retry(jobId)).toBeNull();
    const cancelled = await kiln.add(tenantId);
    await cancel(cancelled);
    expect(await cancel(cancelled)).toStrictEqual({ was: 'cancelled', job: null });
    expect(await retry(cancelled)).toBeNull();
    expect(await kiln.eventsOf(jobId)).toStrictEqual(['file.processing.completed']);
    expect(await kiln.eventsOf(cancelled)).toStrictEqual(['job.cancelled']);
  });

  it('cannot be changed by another tenant', async () => {
    const jobId = await kiln.add(tenantId);
    expect(await cancel(jobId, uuidv7())).toBeNull();
    expect(await cancel(uuidv7())).toBeNull();
    expect((await stored(jobId)).status).toBe('queued');
    await kiln.sql(`update jobs set status = 'failed'`);
    expect(await retry(jobId, uuidv7())).toBeNull();
    expect((await stored(jobId)).status).toBe('failed');
  });

  it('gets the limits of a new job from a retry, while its attempts continue to count', async () => {
    const jobId = await kiln.add(tenantId, { content_type: null });
    const failThrice = async () => {
      for (let run = 0; run < 3; run++) {
        expect((await stored(jobId)).status).toBe('queued');
        await kiln.sql(`update jobs set due_at = now() - interval '1 minute'`);
        await kiln.tenants.restore();
        const { job, lease } = await kiln.claimed();
        await endRun.fail({ job, lease }, transient);
      }
      expect((await stored(jobId)).status).toBe('failed');
    };
    await failThrice();
    await kiln.sql('update jobs set lost_leases = 9, attempts = 100');
    const before = await stored(jobId);
    const retried = await retry(jobId);
    expect(retried).not.toBeNull();
    const { failures, lost_leases, attempts, error, completed_at, ready, fence, content_type } = await stored(jobId);
    expect([failures, lost_leases, attempts, error, completed_at, ready]).toStrictEqual([0, 0, 100, null, null, true]);
    expect(fence).toBeGreaterThan(before.fence);
    expect(content_type).toBe('application/pdf');
    await failThrice();
    expect((await stored(jobId)).attempts).toBe(103);
  });

  it('whose upload expired can be retried once its bytes have arrived', async () => {
    const jobId = await kiln.add(tenantId, { ready: false });
    const error = { code: 'upload_expired' as const, message: 'late', retryable: false };
    await kiln.jobs.failWaiting(kiln.database, tenantId, jobId, error);
    await retry(jobId);
    expect((await kiln.claimed()).job.id).toBe(jobId);
  });

  it(`ends once and as its caller was answered, in any interleaving of claims, runs, cancels and retries (seed ${SEED})`, async () => {
    const JOBS = 200;
    await kiln.addMany(tenantId, JOBS);
    const ids = (await kiln.sql<{ id: string }>('select id from jobs')).map(({ id }) => id);
    const random = randomNumbers(SEED);
    const pick = () => ids[random(ids.length)] ?? '';
    const answered = { cancelled: new Set<string>(), retried: 0 };

    async function work(): Promise<void> {
      for (;;) {
        // A cancel that is answered during the claim may come after it.
        const cancelledBefore = new Set(answered.cancelled);
        const job = await kiln.claimNext();
        if (!job) return;
        // No job is claimed after the response to its cancellation.
        expect(cancelledBefore).not.toContain(job.id);
        const lease = leaseOf(job);
        if (random(2) === 0) await kiln.leases.extend([lease]);
        const end = random(10);
        if (end < 5) await endRun.complete({ lease, event: completedEvent(job) });
        else if (end < 6) await kiln.leases.release(lease, { error: null, counted: false, delaySeconds: 0 });
        else await endRun.fail({ job: { ...job, attempts: 1_000 }, lease }, transient);
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
      // No job is cancelled twice.
      expect(answered.cancelled).not.toContain(jobId);
      answered.cancelled.add(jobId);
    };
    const retryOne = async (jobId: string) => void ((await retry(jobId)) && answered.retried++);
    await Promise.all([work(), work(), work(), meddle(cancelOne), meddle(cancelOne), meddle(retryOne)]);
    await work();

    const counts = new Map<string, number>();
    const cancelled = new Set<string>();
    for (const id of ids) {
      const { status } = await stored(id);
      const events = await kiln.eventsOf(id);
      for (const type of events) counts.set(type, (counts.get(type) ?? 0) + 1);
      const ends = { completed: 'file.processing.completed', failed: 'job.failed', cancelled: 'job.cancelled' };
      expect({ status, last: events.at(-1) }).toStrictEqual({ status, last: ends[status as keyof typeof ends] });
      if (status === 'cancelled') cancelled.add(id);
    }
    expect(cancelled).toStrictEqual(answered.cancelled);
    expect(counts.get('job.cancelled')).toBe(answered.cancelled.size);
    expect(counts.get('job.retried') ?? 0).toBe(answered.retried);
    // Without a cancellation, the test would prove nothing.
    expect(answered.cancelled.size).toBeGreaterThan(0);
    // Without a retry, the test would prove nothing.
    expect(answered.retried).toBeGreaterThan(0);
  });
});
