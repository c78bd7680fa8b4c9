// Real: Postgres. Faked: the passing of time, by moving a lease's end in its row.
import { connectBus, WakeUp, type NatsConnection } from '@kiln/platform';
import { testNamespace, testNats } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { leaseOf, silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { placeJobs } from '../test/place-jobs.js';
import { ReclaimWorker } from '../workers/reclaim.worker.js';
import { leaseKey, type Lease, type LeasedRun } from './lease.store.js';

const error = { code: 'internal', message: 'Retry the job.', retryable: true } as const;

describe('a lease', () => {
  let kiln: JobsHarness;
  let connection: NatsConnection;
  let reclaimWorker: ReclaimWorker;
  before(async () => {
    kiln = await startJobs();
    connection = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
    const wakeUp = new WakeUp(connection, testNamespace());
    reclaimWorker = new ReclaimWorker({ ...kiln, wakeUp, logger: silentLogger, pollMs: 1_000 });
  });
  afterEach(() => kiln.clear());
  after(async () => {
    await connection.close();
    await kiln.close();
  });

  const runOut = (jobId: string) => kiln.loseLeases(jobId);
  const inTransaction = (lease: Lease, ending: 'complete' | 'fail') =>
    kiln.database.transaction((transaction) =>
      ending === 'complete' ? kiln.leases.complete(transaction, lease) : kiln.leases.fail(transaction, lease, error),
    );

  it('that runs out brings the job back, and the next run has a higher fence', async () => {
    const jobId = await kiln.add(uuidv7());
    const first = await kiln.claimed();
    await reclaimWorker.runRound();
    assert.equal(await kiln.claimNext(), null);
    await runOut(jobId);
    await reclaimWorker.runRound();
    const second = await kiln.claimed();
    assert.equal(second.job.id, jobId);
    assert.ok(second.lease.fence > first.lease.fence);
    assert.equal(second.job.attempts, 2);
    assert.equal(second.job.failures, 0);
  });

  it('that is renewed is not taken', async () => {
    const jobId = await kiln.add(uuidv7());
    const { lease } = await kiln.claimed();
    await runOut(jobId);
    assert.deepEqual(await kiln.leases.extend([lease]), new Set([leaseKey(lease)]));
    await reclaimWorker.runRound();
    assert.equal((await kiln.stored(lease.tenantId, jobId)).status, 'processing');
  });

  it('lets its run write; a lost one changes nothing, whatever it writes', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const { lease: old } = await kiln.claimed();
    await runOut(jobId);
    await reclaimWorker.runRound();
    const { lease: current } = await kiln.claimed();
    const before = await kiln.stored(tenantId, jobId);

    await kiln.leases.report(old, { step: 'index', progress: 0.7, provider: null, contentType: null, steps: [] });
    assert.equal(await inTransaction(old, 'complete'), null);
    assert.equal(await inTransaction(old, 'fail'), null);
    await kiln.leases.cancel(kiln.database, old);
    await kiln.leases.release(old, { error, counted: true, delaySeconds: 0 });
    assert.deepEqual(await kiln.leases.extend([old]), new Set());
    assert.deepEqual(await kiln.stored(tenantId, jobId), before);

    assert.deepEqual(await kiln.leases.extend([old, current]), new Set([leaseKey(current)]));
    assert.equal((await inTransaction(current, 'complete'))?.status, 'completed');
    assert.equal(await inTransaction(current, 'fail'), null);
  });

  it('is one for all jobs that a worker took of a tenant at once: renewed and lost together', async () => {
    const tenantId = uuidv7();
    await kiln.addMany(tenantId, 3);
    await kiln.add(uuidv7());
    const runs = (await kiln.claims.turn(10)).jobs.map(leaseOf);
    const [first, second, third, ofOther] = runs.toSorted(
      (a, b) => Number(b.tenantId === tenantId) - Number(a.tenantId === tenantId),
    );
    assert.ok(first && second && third && ofOther);
    assert.equal((await kiln.sql('select 1 from worker_leases')).length, 2);
    await runOut(first.jobId);
    await kiln.leases.extend([second]);
    await reclaimWorker.runRound();
    assert.equal((await kiln.leases.extend(runs)).size, 4);
    await inTransaction(second, 'complete');
    await runOut(third.jobId);
    await reclaimWorker.runRound();
    const statuses = await Promise.all(runs.map((run) => kiln.stored(run.tenantId, run.jobId)));
    const statusOf = (run: LeasedRun) => statuses.find(({ id }) => id === run.jobId)?.status;
    assert.deepEqual([first, second, third, ofOther].map(statusOf), ['queued', 'completed', 'queued', 'processing']);
  });

  it('that ran out while somebody is at one of its jobs stays, so that the job is taken once he has gone', async () => {
    await kiln.addMany(uuidv7(), 2);
    const [busy, free] = (await kiln.claims.turn(2)).jobs;
    assert.ok(busy && free);
    await kiln.loseLeases();
    await kiln.database.transaction(async (transaction) => {
      await transaction.query({ name: '', text: 'select 1 from jobs where id = $1 for update' }, [busy.id]);
      await reclaimWorker.runRound();
      assert.equal((await kiln.stored(free.tenant_id, free.id)).status, 'queued');
      assert.equal((await kiln.stored(busy.tenant_id, busy.id)).status, 'processing');
    });
    await reclaimWorker.runRound();
    assert.equal((await kiln.stored(busy.tenant_id, busy.id)).status, 'queued');
    assert.deepEqual(await kiln.sql('select 1 from worker_leases'), []);
  });

  it('goes when it is let go of, and when it runs out after its runs have ended', async () => {
    const [mine, other] = [uuidv7(), uuidv7()];
    for (const tenantId of [mine, other]) await kiln.add(tenantId);
    const runs = (await kiln.claims.turn(2)).jobs.map(leaseOf);
    for (const run of runs) await inTransaction(run, 'complete');
    const of = (tenantId: string) => runs.filter((run) => run.tenantId === tenantId);
    await kiln.leases.letGo(of(mine).map(({ leaseId: id }) => ({ tenantId: mine, id })));
    assert.deepEqual(await kiln.sql('select tenant_id from worker_leases'), [{ tenant_id: other }]);
    await kiln.loseLeases();
    await reclaimWorker.runRound();
    assert.deepEqual(await kiln.sql('select 1 from worker_leases'), []);
    assert.deepEqual(await kiln.sql(`select 1 from jobs where status <> 'completed'`), []);
  });

  it('of one tenant is no lease on a job with the same id of another', async () => {
    const [mine, other] = [uuidv7(), uuidv7()];
    const jobId = await kiln.add(mine);
    await kiln.sql(
      `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing)
       select $1, id, file_id, space, filename, ready, processing from jobs`,
      [other],
    );
    await placeJobs(kiln);
    await kiln.tenants.join(kiln.database, other);
    const claims = [await kiln.claimed(), await kiln.claimed()];
    assert.deepEqual(claims.map(({ job }) => job.tenant_id).sort(), [mine, other]);
    await kiln.leases.cancel(kiln.database, { tenantId: mine, jobId, fence: 1 });
    assert.equal((await kiln.stored(other, jobId)).status, 'processing');
    const kept = await kiln.leases.extend(claims.map(({ lease }) => lease));
    assert.deepEqual(kept, new Set([leaseKey({ tenantId: other, jobId, fence: 1 })]));
  });

  it('given back with a delay is due after it, and counts a failure only when told to', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    const { lease } = await kiln.claimed();
    await kiln.leases.release(lease, { error, counted: true, delaySeconds: 30 });
    const released = await kiln.stored(tenantId, jobId);
    assert.deepEqual([released.status, released.failures, released.error], ['queued', 1, error]);
    assert.ok(released.run_after.getTime() > Date.now() + 25_000);
    await kiln.leases.release(lease, { error, counted: true, delaySeconds: 0 });
    assert.deepEqual(await kiln.stored(tenantId, jobId), released);
  });

  it('lost ten times by the same job ends it with its events: it takes its workers down', async () => {
    const tenantId = uuidv7();
    const jobId = await kiln.add(tenantId);
    for (let count = 1; count <= 10; count++) {
      assert.equal((await kiln.stored(tenantId, jobId)).status, 'queued');
      await kiln.claimed();
      await runOut(jobId);
      await reclaimWorker.runRound();
    }
    const ended = await kiln.stored(tenantId, jobId);
    assert.deepEqual([ended.status, ended.error?.code, ended.lost_leases], ['failed', 'internal', 10]);
    assert.ok(ended.completed_at);
    assert.deepEqual(await kiln.eventsOf(jobId), ['file.processing.failed', 'job.failed']);
    assert.equal(await kiln.claimNext(), null);
  });

  it('is taken once, however many processes look for lost ones at the same time', async () => {
    for (let index = 0; index < 30; index++) await kiln.add(uuidv7());
    for (let index = 0; index < 30; index++) await runOut((await kiln.claimed()).job.id);
    await Promise.all(Array.from({ length: 6 }, () => reclaimWorker.runRound()));
    const [row] = await kiln.sql(`select count(*)::int as jobs, sum(lost_leases)::int as lost from jobs`);
    assert.deepEqual(row, { jobs: 30, lost: 30 });
    const [left] = await kiln.sql(`select count(*)::int as count from jobs where status <> 'queued'`);
    assert.deepEqual(left, { count: 0 });
  });
});
