// Real: Postgres. Faked: the passing of time, by moving a lease's end in its row.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, WakeUp, type NatsConnection } from '@kiln/platform';
import { testNamespace, testNats } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { LANE, finishedRun, leaseOf, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { ReclaimWorker } from './reclaim.worker.js';
import { leaseKey } from './lease.store.js';

const error = { code: 'internal', message: 'Retry the job.', retryable: true } as const;

describe('a lease', () => {
  let kiln: JobsHarness;
  let connection: NatsConnection;
  let reclaimWorker: ReclaimWorker;
  beforeAll(async () => {
    kiln = await startJobs();
    connection = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
    const wakeUp = new WakeUp(connection, testNamespace());
    reclaimWorker = new ReclaimWorker({ ...kiln, wakeUp, logger: silentLogger, pollMs: 1_000 });
  });
  afterEach(() => kiln.clear());
  afterAll(async () => {
    await connection.close();
    await kiln.close();
  });

  const runOut = (jobId: string) => kiln.loseLeases(jobId);
  it('that expires returns the job to the queue, and the next run has a higher fencing token', async () => {
    const jobId = await kiln.add(uuidv7());
    const first = await kiln.claimed();
    await reclaimWorker.runRound();
    expect(await kiln.claimNext()).toBeNull();
    await runOut(jobId);
    await reclaimWorker.runRound();
    const second = await kiln.claimed();
    expect(second.job.id).toBe(jobId);
    expect(second.lease.fence).toBeGreaterThan(first.lease.fence);
    expect(second.job.attempts).toBe(2);
    expect(second.job.failures).toBe(0);
  });

  it('that is renewed is not reclaimed', async () => {
    const jobId = await kiln.add(uuidv7());
    const { lease } = await kiln.claimed();
    await runOut(jobId);
    expect(await kiln.leases.extend([lease])).toStrictEqual(new Set([leaseKey(lease)]));
    await reclaimWorker.runRound();
    expect((await kiln.stored(lease.tenantId, jobId)).status).toBe('processing');
  });

  it('lets its run write; writes under a lost lease change nothing', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const { job: oldRun, lease: old } = await kiln.claimed();
    await runOut(jobId);
    await reclaimWorker.runRound();
    const { job: currentRun, lease: current } = await kiln.claimed();
    const before = await kiln.stored(tenantId, jobId);

    await kiln.leases.report([
      { lease: old, report: { step: 'index', progress: 0.7, provider: null, contentType: null, steps: [] } },
    ]);
    await kiln.completions.completeOne(finishedRun(oldRun));
    expect(await kiln.leases.fail(kiln.database, old, error)).toBeNull();
    await kiln.leases.cancel(kiln.database, old);
    await kiln.leases.release(old, { error, counted: true, delaySeconds: 0 });
    expect(await kiln.leases.extend([old])).toStrictEqual(new Set());
    expect(await kiln.stored(tenantId, jobId)).toStrictEqual(before);

    expect(await kiln.leases.extend([old, current])).toStrictEqual(new Set([leaseKey(current)]));
    await kiln.completions.completeOne(finishedRun(currentRun));
    expect((await kiln.stored(tenantId, jobId)).status).toBe('completed');
    expect(await kiln.leases.fail(kiln.database, current, error)).toBeNull();
  });

  it('is renewed for the given run only, not for others of the same tenant and worker', async () => {
    await kiln.addMany(uuidv7(), 2);
    const [renewed, forgotten] = (await kiln.claims.claim(2)).jobs;
    if (!renewed || !forgotten) throw new Error('no renewed or forgotten');
    await kiln.loseLeases();
    await kiln.leases.extend([leaseOf(renewed)]);
    await reclaimWorker.runRound();
    expect((await kiln.stored(renewed.tenant_id, renewed.id)).status).toBe('processing');
    expect((await kiln.stored(forgotten.tenant_id, forgotten.id)).status).toBe('queued');
  });

  it('counts as held while its job is locked, and its renewal waits for no lock', async () => {
    await kiln.addMany(uuidv7(), 2);
    const [busy, free] = (await kiln.claims.claim(2)).jobs;
    if (!busy || !free) throw new Error('no busy or free');
    await kiln.loseLeases();
    await kiln.database.transaction(async (transaction) => {
      await transaction.query({ name: '', text: 'select 1 from jobs where id = $1 for update' }, [busy.id]);
      expect((await kiln.leases.extend([busy, free].map(leaseOf))).size).toBe(2);
    });
    await reclaimWorker.runRound();
    expect((await kiln.stored(free.tenant_id, free.id)).status).toBe('processing');
    expect((await kiln.stored(busy.tenant_id, busy.id)).status).toBe('queued');
  });

  it('that expires while its job is locked is reclaimed once the lock is released', async () => {
    await kiln.addMany(uuidv7(), 2);
    const [busy, free] = (await kiln.claims.claim(2)).jobs;
    if (!busy || !free) throw new Error('no busy or free');
    await kiln.loseLeases();
    await kiln.database.transaction(async (transaction) => {
      await transaction.query({ name: '', text: 'select 1 from jobs where id = $1 for update' }, [busy.id]);
      await reclaimWorker.runRound();
      expect((await kiln.stored(free.tenant_id, free.id)).status).toBe('queued');
      expect((await kiln.stored(busy.tenant_id, busy.id)).status).toBe('processing');
    });
    await reclaimWorker.runRound();
    expect((await kiln.stored(busy.tenant_id, busy.id)).status).toBe('queued');
  });

  it('of one tenant is no lease on a job with the same id of another', async () => {
    const [mine, other] = [uuidv7(), uuidv7()];
    const jobId = await kiln.add(mine);
    await kiln.sql(
      `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing)
       select $1, id, file_id, space, filename, ready, processing from jobs`,
      [other],
    );
    await kiln.tenants.join(kiln.database, other, LANE);
    const claims = [await kiln.claimed(), await kiln.claimed()];
    expect(claims.map(({ job }) => job.tenant_id).sort()).toStrictEqual([mine, other]);
    await kiln.leases.cancel(kiln.database, { tenantId: mine, jobId, fence: 1 });
    expect((await kiln.stored(other, jobId)).status).toBe('processing');
    const kept = await kiln.leases.extend(claims.map(({ lease }) => lease));
    expect(kept).toStrictEqual(new Set([leaseKey({ tenantId: other, jobId, fence: 1 })]));
  });

  it('released with a delay makes the job due after it, and counts a failure only on request', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const { lease } = await kiln.claimed();
    const [before] = await kiln.sql<{ now: Date }>('select now() as now');
    await kiln.leases.release(lease, { error, counted: true, delaySeconds: 30 });
    const released = await kiln.stored(tenantId, jobId);
    expect([released.status, released.failures, released.error]).toStrictEqual(['queued', 1, error]);
    expect(released.due_at.getTime()).toBeGreaterThan((before?.now.getTime() ?? Infinity) + 25_000);
    await kiln.leases.release(lease, { error, counted: true, delaySeconds: 0 });
    expect(await kiln.stored(tenantId, jobId)).toStrictEqual(released);
  });

  it('lost ten times by the same job fails it, with its events', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    for (let count = 1; count <= 10; count++) {
      expect((await kiln.stored(tenantId, jobId)).status).toBe('queued');
      await kiln.claimed();
      await runOut(jobId);
      await reclaimWorker.runRound();
    }
    const ended = await kiln.stored(tenantId, jobId);
    expect([ended.status, ended.error?.code, ended.lost_leases]).toStrictEqual(['failed', 'internal', 10]);
    expect(ended.completed_at).toBeTruthy();
    expect(await kiln.eventsOf(jobId)).toStrictEqual(['file.processing.failed', 'job.failed']);
    expect(await kiln.claimNext()).toBeNull();
  });

  it('is reclaimed once, however many processes reclaim at the same time', async () => {
    for (let index = 0; index < 30; index++) await kiln.add(uuidv7());
    for (let index = 0; index < 30; index++) await runOut((await kiln.claimed()).job.id);
    await Promise.all(Array.from({ length: 6 }, () => reclaimWorker.runRound()));
    const [row] = await kiln.sql(`select count(*)::int as jobs, sum(lost_leases)::int as lost from jobs`);
    expect(row).toStrictEqual({ jobs: 30, lost: 30 });
    const [left] = await kiln.sql(`select count(*)::int as count from jobs where status <> 'queued'`);
    expect(left).toStrictEqual({ count: 0 });
  });
});
