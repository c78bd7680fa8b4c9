// Real: Postgres. Faked: a connection that is lost between two statements.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { BATCH_WAIT_SECONDS, LANE, leaseOf, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { ClaimStore } from './claim.store.js';

const again = { error: null, counted: false };

describe('claiming', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  it('serves a tenant with one job within two claims, whatever another has queued', async () => {
    const [large, small] = [uuidv7(), uuidv7()];
    await kiln.addMany(large, 500);
    await kiln.claimed();
    await kiln.add(small);
    const tenants = [await kiln.claimed(), await kiln.claimed()].map(({ job }) => job.tenant_id);
    expect(tenants).toContain(small);
  });

  it('is round robin: of any five claims over five tenants with work, each gets one', async () => {
    const tenants = Array.from({ length: 5 }, () => uuidv7());
    for (const tenant of tenants) await kiln.addMany(tenant, 20);
    for (let round = 0; round < 20; round++) {
      const served = new Set<string>();
      for (let round = 0; round < 5; round++) served.add((await kiln.claimed()).job.tenant_id);
      expect(served.size).toBe(5);
    }
    expect(await kiln.claimNext()).toBeNull();
  });

  it('takes the jobs of a tenant in the order of arrival', async () => {
    const tenant = uuidv7();
    const ids = [await kiln.add(tenant), await kiln.add(tenant), await kiln.add(tenant)];
    const claimed = [await kiln.claimed(), await kiln.claimed(), await kiln.claimed()];
    expect(claimed.map(({ job }) => job.id)).toStrictEqual(ids);
  });

  it('gives each of 200 jobs to exactly one of eight claimers, for one tenant as for many', async () => {
    for (const tenantCount of [1, 10]) {
      for (let index = 0; index < tenantCount; index++) await kiln.addMany(uuidv7(), 200 / tenantCount);
      const seen: string[] = [];
      const claimAll = async () => {
        for (let job = await kiln.claimNext(); job; job = await kiln.claimNext()) seen.push(job.id);
      };
      await Promise.all(Array.from({ length: 8 }, claimAll));
      expect(seen).toHaveLength(200);
      expect(new Set(seen).size).toBe(200);
    }
  });

  it('reports a collision at the only tenant as due now, never as nothing due', async () => {
    await kiln.addMany(uuidv7(), 100);
    const claimOrLook = async () => {
      const { jobs, drained } = await kiln.claims.claim(1);
      return jobs.length > 0 || (await kiln.claims.nextDueInMs(drained)) === 0;
    };
    const answers = await Promise.all(Array.from({ length: 40 }, claimOrLook));
    expect(answers).not.toContain(false);
  });

  it('returns the jobs of its first round if the second one fails, and fails itself if the first one has none', async () => {
    const [last, other] = [uuidv7(), uuidv7()];
    await kiln.add(last);
    await kiln.add(other);
    const options = { workerId: 'worker', lane: LANE, batchWaitSeconds: BATCH_WAIT_SECONDS };
    let isSecond = false;
    const database = Object.create(kiln.database) as Database;
    database.pipelined = (work) => {
      if (isSecond) return Promise.reject(new Error('the connection is lost'));
      isSecond = true;
      return kiln.database.pipelined(work);
    };
    const claims = new ClaimStore(database, kiln.tenants, { ...options, leaseSeconds: 20 });
    const { jobs } = await claims.claim(2, [last]);
    expect(jobs.map(({ tenant_id }) => tenant_id)).toStrictEqual([other]);
    isSecond = false;
    await expect(claims.claim(1, [last])).rejects.toThrow('the connection is lost');
    // The job of the second round is still queued.
    expect((await kiln.claimed()).job.tenant_id).toBe(last);
  });

  it('skips a job whose bytes have not arrived', async () => {
    const tenant = uuidv7();
    await kiln.add(tenant, { ready: false });
    expect(await kiln.claimNext()).toBeNull();
  });

  it('of a job released with a delay waits until then, and serves other jobs meanwhile', async () => {
    const [early, late] = [uuidv7(), uuidv7()];
    await kiln.add(late);
    const { lease } = await kiln.claimed();
    await kiln.leases.release(lease, { ...again, delaySeconds: 3_600 });
    await kiln.add(early);
    expect((await kiln.claimed()).job.tenant_id).toBe(early);
    expect(await kiln.claimNext()).toBeNull();
    await kiln.sql(`update jobs set due_at = now() - interval '1 minute' where tenant_id = $1`, [late]);
    await kiln.tenants.restore();
    expect((await kiln.claimed()).job.tenant_id).toBe(late);
  });

  it('postpones each tenant with only later jobs once, and then reports at once that nothing is due', async () => {
    for (let index = 0; index < 20; index++) await kiln.add(uuidv7());
    for (let index = 0; index < 20; index++) {
      await kiln.leases.release((await kiln.claimed()).lease, { ...again, delaySeconds: 600 });
    }
    const { jobs, drained } = await kiln.claims.claim(20);
    expect([jobs.length, drained.length]).toStrictEqual([0, 20]);
    expect(await kiln.claims.removeIdle(drained)).toBe(true);
    expect(await kiln.claims.claim(20)).toStrictEqual({ jobs: [], drained: [] });
    const [row] = await kiln.sql<{ due: number }>(
      'select count(*)::int as due from waiting_tenants where due_at <= now()',
    );
    expect(row?.due).toBe(0);
  });

  it('serves a postponed tenant at once when it gets another job', async () => {
    const tenant = uuidv7();
    await kiln.add(tenant);
    await kiln.leases.release((await kiln.claimed()).lease, { ...again, delaySeconds: 600 });
    expect(await kiln.claimNext()).toBeNull();
    const next = await kiln.add(tenant);
    expect((await kiln.claimed()).job.id).toBe(next);
  });

  it('misses no job that is added while its tenant is being removed', async () => {
    const tenant = uuidv7();
    let added = 0;
    let claimed = 0;
    const addAll = async () => {
      for (; added < 300; added++) await kiln.add(tenant);
    };
    const claimAll = async () => {
      while (claimed < 300) {
        const isAllAdded = added === 300;
        const job = await kiln.claimNext();
        if (job) claimed++;
        // Every job that has been added is either claimed or claimable: no repair has run.
        else if (isAllAdded && claimed < 300) {
          const [row] = await kiln.sql<{ left: number }>(
            `select count(*)::int as left from jobs where status = 'queued'`,
          );
          // Claims have found every job in the queue.
          expect(row?.left).toBe(0);
          return;
        }
      }
    };
    await Promise.all([addAll(), claimAll(), claimAll()]);
    expect(claimed).toBe(300);
  });

  it('is not blocked by a long transaction that adds jobs of the same tenant', async () => {
    const tenant = uuidv7();
    const ready = await kiln.add(tenant);
    await kiln.database.transaction(async (transaction) => {
      await kiln.tenants.join(transaction, tenant, LANE);
      expect((await kiln.claimed()).job.id).toBe(ready);
    });
  });

  it('finds the work of tenants with a missing or wrong row after reconciliation', async () => {
    const tenants = [uuidv7(), uuidv7(), uuidv7()];
    for (const tenant of tenants) await kiln.add(tenant);
    await kiln.sql('delete from waiting_tenants where tenant_id = $1', [tenants[0]]);
    await kiln.sql(`update waiting_tenants set due_at = now() + interval '1 day' where tenant_id = $1`, [tenants[1]]);
    await kiln.tenants.restore();
    const served = new Set<string>();
    for (const _ of tenants) served.add((await kiln.claimed()).job.tenant_id);
    expect([...served].sort()).toStrictEqual(tenants);
  });

  it('raises the fencing token with every claim', async () => {
    await kiln.add(uuidv7());
    for (let fence = 1; fence <= 3; fence++) {
      const { job } = await kiln.claimed();
      expect(job.fence).toBe(fence);
      await kiln.leases.release(leaseOf(job), { ...again, delaySeconds: 0 });
    }
  });
});
