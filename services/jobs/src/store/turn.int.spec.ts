// Real: Postgres. Faked: nothing.
import { encodeId } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { BATCH_WAIT_SECONDS, finishedRun, leaseOf, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { refuseEvents } from '../test/stated-events.js';
import type { ClaimedJob } from './job.rows.js';

describe('a worker’s turn', () => {
  let kiln: JobsHarness;
  before(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  const take = async (jobsMax: number) => (await kiln.claims.turn(jobsMax)).jobs;
  const countBy = (jobs: ClaimedJob[]) => {
    const counts = new Map<string, number>();
    for (const { tenant_id } of jobs) counts.set(tenant_id, (counts.get(tenant_id) ?? 0) + 1);
    return counts;
  };
  const statuses = async () =>
    (await kiln.sql<{ status: string }>('select status from jobs order by id')).map(({ status }) => status);
  const leases = async () => (await kiln.sql(`select 1 from jobs where status = 'processing'`)).length;
  /** Answers the ids of those that were missed. */
  const end = async (jobs: ClaimedJob[]) =>
    (await kiln.completions.complete(jobs.map(finishedRun))).map(({ lease }) => lease.jobId);

  it('begins many runs and ends as many, each end with its event', async () => {
    await kiln.addMany(uuidv7(), 60);
    const first = await take(40);
    assert.deepEqual(await end(first), []);
    for (const job of first) assert.deepEqual(await kiln.eventsOf(job.id), ['file.processing.completed']);
    const rest = await take(40);
    assert.equal(rest.length, 20);
    assert.deepEqual(await end(rest), []);
    assert.deepEqual([...new Set(await statuses())], ['completed']);
    assert.equal(await leases(), 0);
  });

  it('tells which runs had lost their lease, writes nothing for them, and ends the others', async () => {
    await kiln.addMany(uuidv7(), 3);
    const [lost, cancelled, held] = (await take(3)) as [ClaimedJob, ClaimedJob, ClaimedJob];
    await kiln.leases.release(leaseOf(lost), { error: null, counted: false, delaySeconds: 0 });
    const [again] = await take(1);
    assert.equal(again?.id, lost.id);
    await kiln.leases.cancel(kiln.database, leaseOf(cancelled));
    const foreign = { ...held, tenant_id: uuidv7() };
    const finished = [lost, cancelled, held, foreign].map(finishedRun);
    assert.deepEqual(await kiln.completions.complete(finished), [finished[0], finished[1], finished[3]]);
    assert.deepEqual((await statuses()).sort(), ['cancelled', 'completed', 'processing']);
    assert.deepEqual(await kiln.eventsOf(lost.id), []);
    assert.equal((await kiln.completions.complete(finished)).length, 4, 'a completed run can’t complete again');
    assert.deepEqual(await kiln.eventsOf(held.id), ['file.processing.completed']);
    assert.equal(await leases(), 1, 'of the run that began anew');
  });

  it('waits for nobody: a run at whose job somebody is counts as missed', async () => {
    await kiln.addMany(uuidv7(), 2);
    const [locked, free] = (await take(2)) as [ClaimedJob, ClaimedJob];
    await kiln.database.transaction(async (transaction) => {
      await transaction.query({ name: '', text: 'select 1 from jobs where id = $1 for update' }, [locked.id]);
      assert.deepEqual(await end([locked, free]), [locked.id]);
    });
  });

  it('is all or nothing: when an event can’t be kept, no run has ended', async () => {
    await kiln.addMany(uuidv7(), 2);
    const jobs = await take(2);
    const finished = jobs.map(finishedRun);
    const refused = encodeId('job', jobs[0]?.id ?? '');
    const allow = await refuseEvents(kiln.database, refused);
    await assert.rejects(kiln.completions.complete(finished), /refuse/);
    await allow();
    assert.deepEqual(await statuses(), ['processing', 'processing']);
    assert.deepEqual(await kiln.completions.complete(finished), []);
  });

  it('shares among the tenants with work, and gives what one does not use to the next turn', async () => {
    const [large, middle, small] = [uuidv7(), uuidv7(), uuidv7()];
    await kiln.addMany(large, 500);
    await kiln.addMany(middle, 50);
    await kiln.addMany(small, 1);
    const { jobs, drained } = await kiln.claims.turn(30);
    const shares = countBy(jobs);
    assert.deepEqual(
      [large, middle, small].map((tenant) => shares.get(tenant)),
      [10, 10, 1],
    );
    assert.deepEqual(drained, [small]);
    assert.equal(await kiln.claims.settle(drained), true);
    assert.deepEqual([...countBy(await take(30)).values()], [15, 15]);
  });

  it('makes good in the next turn what a tenant got less in this one', async () => {
    const tenants = Array.from({ length: 4 }, () => uuidv7());
    for (const tenant of tenants) await kiln.addMany(tenant, 100);
    const taken: ClaimedJob[] = [];
    for (let turn = 1; turn <= 10; turn++) {
      taken.push(...(await take(6)));
      const counts = [...countBy(taken).values()];
      assert.equal(counts.length, 4);
      assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, `turn ${turn}: ${counts.join()}`);
    }
  });

  it('takes a tenant’s single uploads before its batches, and keeps the order among tenants', async () => {
    const [mine, other] = [uuidv7(), uuidv7()];
    const batch = { batch_id: encodeId('batch', uuidv7()) };
    const [bulk, secondBulk] = [await kiln.add(mine, batch), await kiln.add(mine, batch)];
    const [single, secondSingle] = [await kiln.add(mine), await kiln.add(mine)];
    const foreign = await kiln.add(other, batch);
    assert.deepEqual(new Set((await take(2)).map(({ id }) => id)), new Set([single, foreign]));
    const rest = [await kiln.claimed(), await kiln.claimed(), await kiln.claimed()];
    assert.deepEqual(
      rest.map(({ job }) => job.id),
      [secondSingle, bulk, secondBulk],
    );
  });

  it('takes a batch that has waited long enough before the single uploads that came after, whatever else comes', async () => {
    const tenant = uuidv7();
    const batch = { batch_id: encodeId('batch', uuidv7()) };
    const [waited, young] = [await kiln.add(tenant, batch), await kiln.add(tenant, batch)];
    await kiln.sql('update queued_jobs set run_after = run_after - make_interval(secs => $2) where id = $1', [
      waited,
      BATCH_WAIT_SECONDS,
    ]);
    const earlier = await kiln.add(tenant);
    await kiln.sql(`update queued_jobs set run_after = run_after - interval '1 second' where id = $1`, [earlier]);
    const singles = [await kiln.add(tenant), await kiln.add(tenant)];
    const order: string[] = [];
    for (let turn = 0; turn < 5; turn++) order.push(...(await take(1)).map(({ id }) => id));
    assert.deepEqual(order, [earlier, waited, ...singles, young]);
  });

  it('asks a tenant that goes last only for what the others leave', async () => {
    const [holder, small] = [uuidv7(), uuidv7()];
    await kiln.addMany(holder, 5);
    const one = await kiln.add(small);
    const turn = async (jobsMax: number) => (await kiln.claims.turn(jobsMax, { lastTenants: [holder] })).jobs;
    assert.deepEqual(
      (await turn(1)).map(({ id }) => id),
      [one],
    );
    await kiln.claims.settle([small]);
    assert.deepEqual([...countBy(await turn(3))], [[holder, 3]]);
    const more = [await kiln.add(small), await kiln.add(small)];
    const shared = await turn(3);
    assert.deepEqual(new Set(shared.filter(({ tenant_id: id }) => id === small).map(({ id }) => id)), new Set(more));
    assert.deepEqual(countBy(shared).get(holder), 1);
  });

  it('takes a batch while the single uploads of its tenant wait for another try', async () => {
    const tenant = uuidv7();
    await kiln.add(tenant);
    const [single] = await take(1);
    assert.ok(single);
    await kiln.leases.release(leaseOf(single), { error: null, counted: false, delaySeconds: 600 });
    const bulk = await kiln.add(tenant, { batch_id: encodeId('batch', uuidv7()) });
    assert.deepEqual(
      (await take(5)).map(({ id }) => id),
      [bulk],
    );
    assert.equal(await kiln.claimNext(), null);
    await kiln.sql('update queued_jobs set run_after = now()');
    await kiln.tenants.restore();
    assert.deepEqual(
      (await take(5)).map(({ id }) => id),
      [single.id],
    );
  });

  it('lets a single file of one tenant pass 2,000 queued files of another with the next free slot', async () => {
    const [large, small] = [uuidv7(), uuidv7()];
    await kiln.addMany(large, 2_000);
    let running = await take(6);
    const file = await kiln.add(small);
    await end(running.splice(0, 1));
    assert.deepEqual(
      (await take(1)).map(({ id }) => id),
      [file],
    );
  });
});
