// Real: Postgres. Faked: nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { BATCH_WAIT_SECONDS, finishedRun, leaseOf, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { refuseEvents } from '../test/stated-events.js';
import type { ClaimedJob } from '../jobs/job.rows.js';

describe('a worker’s round', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const take = async (jobsMax: number) => (await kiln.claims.claim(jobsMax)).jobs;
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

  it('begins many runs and completes as many, each with its event', async () => {
    await kiln.addMany(uuidv7(), 60);
    const first = await take(40);
    expect(await end(first)).toStrictEqual([]);
    for (const job of first) expect(await kiln.eventsOf(job.id)).toStrictEqual(['file.processing.completed']);
    const rest = await take(40);
    expect(rest).toHaveLength(20);
    expect(await end(rest)).toStrictEqual([]);
    expect([...new Set(await statuses())]).toStrictEqual(['completed']);
    expect(await leases()).toBe(0);
  });

  it('returns the runs that had lost their lease, writes nothing for them, and completes the others', async () => {
    await kiln.addMany(uuidv7(), 3);
    const [lost, cancelled, held] = (await take(3)) as [ClaimedJob, ClaimedJob, ClaimedJob];
    await kiln.leases.release(leaseOf(lost), { error: null, counted: false, delaySeconds: 0 });
    const [again] = await take(1);
    expect(again?.id).toBe(lost.id);
    await kiln.leases.cancel(kiln.database, leaseOf(cancelled));
    const foreign = { ...held, tenant_id: uuidv7() };
    const finished = [lost, cancelled, held, foreign].map(finishedRun);
    expect(await kiln.completions.complete(finished)).toStrictEqual([finished[0], finished[1], finished[3]]);
    expect((await statuses()).sort()).toStrictEqual(['cancelled', 'completed', 'processing']);
    expect(await kiln.eventsOf(lost.id)).toStrictEqual([]);
    // A completed run can’t complete again.
    expect(await kiln.completions.complete(finished)).toHaveLength(4);
    expect(await kiln.eventsOf(held.id)).toStrictEqual(['file.processing.completed']);
    // Of the later run.
    expect(await leases()).toBe(1);
  });

  it('waits for no lock: a run whose job is locked counts as missed', async () => {
    await kiln.addMany(uuidv7(), 2);
    const [locked, free] = (await take(2)) as [ClaimedJob, ClaimedJob];
    await kiln.database.transaction(async (transaction) => {
      await transaction.query({ name: '', text: 'select 1 from jobs where id = $1 for update' }, [locked.id]);
      expect(await end([locked, free])).toStrictEqual([locked.id]);
    });
  });

  it('is all or nothing: when an event cannot be stored, no run is completed', async () => {
    await kiln.addMany(uuidv7(), 2);
    const jobs = await take(2);
    const finished = jobs.map(finishedRun);
    const refused = encodeId('job', jobs[0]?.id ?? '');
    const allow = await refuseEvents(kiln.database, refused);
    await expect(kiln.completions.complete(finished)).rejects.toThrow(/refuse/);
    await allow();
    expect(await statuses()).toStrictEqual(['processing', 'processing']);
    expect(await kiln.completions.complete(finished)).toStrictEqual([]);
  });

  it('shares among the tenants with work, and gives an unused share to the next round', async () => {
    const [large, middle, small] = [uuidv7(), uuidv7(), uuidv7()];
    await kiln.addMany(large, 500);
    await kiln.addMany(middle, 50);
    await kiln.addMany(small, 1);
    const { jobs, drained } = await kiln.claims.claim(30);
    const shares = countBy(jobs);
    expect([large, middle, small].map((tenant) => shares.get(tenant))).toStrictEqual([10, 10, 1]);
    expect(drained).toStrictEqual([small]);
    expect(await kiln.claims.removeIdle(drained)).toBe(true);
    expect([...countBy(await take(30)).values()]).toStrictEqual([15, 15]);
  });

  it('serves a tenant that got less in this round first in the next', async () => {
    const tenants = Array.from({ length: 4 }, () => uuidv7());
    for (const tenant of tenants) await kiln.addMany(tenant, 100);
    const taken: ClaimedJob[] = [];
    for (let round = 1; round <= 10; round++) {
      taken.push(...(await take(6)));
      const counts = [...countBy(taken).values()];
      expect(counts).toHaveLength(4);
      expect(Math.max(...counts)).toBeLessThanOrEqual(Math.min(...counts) + 1);
    }
  });

  it('claims a tenant’s single uploads before its batches, and keeps the order among tenants', async () => {
    const [mine, other] = [uuidv7(), uuidv7()];
    const batch = { batch_id: encodeId('batch', uuidv7()) };
    const [bulk, secondBulk] = [await kiln.add(mine, batch), await kiln.add(mine, batch)];
    const [single, secondSingle] = [await kiln.add(mine), await kiln.add(mine)];
    const foreign = await kiln.add(other, batch);
    expect(new Set((await take(2)).map(({ id }) => id))).toStrictEqual(new Set([single, foreign]));
    const rest = [await kiln.claimed(), await kiln.claimed(), await kiln.claimed()];
    expect(rest.map(({ job }) => job.id)).toStrictEqual([secondSingle, bulk, secondBulk]);
  });

  it('claims a batch that has waited long enough before later single uploads', async () => {
    const tenant = uuidv7();
    const batch = { batch_id: encodeId('batch', uuidv7()) };
    const [waited, young] = [await kiln.add(tenant, batch), await kiln.add(tenant, batch)];
    await kiln.sql('update jobs set due_at = due_at - make_interval(secs => $2) where id = $1', [
      waited,
      BATCH_WAIT_SECONDS,
    ]);
    const earlier = await kiln.add(tenant);
    await kiln.sql(`update jobs set due_at = due_at - interval '1 second' where id = $1`, [earlier]);
    const singles = [await kiln.add(tenant), await kiln.add(tenant)];
    const order: string[] = [];
    for (let round = 0; round < 5; round++) order.push(...(await take(1)).map(({ id }) => id));
    expect(order).toStrictEqual([earlier, waited, ...singles, young]);
  });

  it('serves a tenant that goes last only after the others', async () => {
    const [holder, small] = [uuidv7(), uuidv7()];
    await kiln.addMany(holder, 5);
    const one = await kiln.add(small);
    const claim = async (jobsMax: number) => (await kiln.claims.claim(jobsMax, [holder])).jobs;
    expect((await claim(1)).map(({ id }) => id)).toStrictEqual([one]);
    await kiln.claims.removeIdle([small]);
    expect([...countBy(await claim(3))]).toStrictEqual([[holder, 3]]);
    const more = [await kiln.add(small), await kiln.add(small)];
    const shared = await claim(3);
    expect(new Set(shared.filter(({ tenant_id: id }) => id === small).map(({ id }) => id))).toStrictEqual(
      new Set(more),
    );
    expect(countBy(shared).get(holder)).toStrictEqual(1);
  });

  it('claims a batch while the single uploads of its tenant wait for a retry', async () => {
    const tenant = uuidv7();
    await kiln.add(tenant);
    const [single] = await take(1);
    if (!single) throw new Error('no single');
    await kiln.leases.release(leaseOf(single), { error: null, counted: false, delaySeconds: 600 });
    const bulk = await kiln.add(tenant, { batch_id: encodeId('batch', uuidv7()) });
    expect((await take(5)).map(({ id }) => id)).toStrictEqual([bulk]);
    expect(await kiln.claimNext()).toBeNull();
    await kiln.sql(`update jobs set due_at = now() - interval '1 minute'`);
    await kiln.tenants.restore();
    expect((await take(5)).map(({ id }) => id)).toStrictEqual([single.id]);
  });

  it('gives the next free slot to the single file of one tenant beside 2,000 queued files of another', async () => {
    const [large, small] = [uuidv7(), uuidv7()];
    await kiln.addMany(large, 2_000);
    let running = await take(6);
    const file = await kiln.add(small);
    await end(running.splice(0, 1));
    expect((await take(1)).map(({ id }) => id)).toStrictEqual([file]);
  });
});
