// Real: Postgres. Faked: nothing.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { leaseOf, startJobs, type JobsHarness } from '../test/jobs-harness.js';

const again = { error: null, counted: false };

describe('claiming', () => {
  let kiln: JobsHarness;
  before(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  it('serves a tenant with one job within two claims, whatever another has queued', async () => {
    const [large, small] = [uuidv7(), uuidv7()];
    await kiln.addMany(large, 500);
    await kiln.claimed();
    await kiln.add(small);
    const tenants = [await kiln.claimed(), await kiln.claimed()].map(({ job }) => job.tenant_id);
    assert.ok(tenants.includes(small));
  });

  it('goes round: of any five claims over five tenants with work, each gets one', async () => {
    const tenants = Array.from({ length: 5 }, () => uuidv7());
    for (const tenant of tenants) await kiln.addMany(tenant, 20);
    for (let round = 0; round < 20; round++) {
      const served = new Set<string>();
      for (let turn = 0; turn < 5; turn++) served.add((await kiln.claimed()).job.tenant_id);
      assert.equal(served.size, 5);
    }
    assert.equal(await kiln.claimNext(), null);
  });

  it('takes the jobs of a tenant in the order in which they came', async () => {
    const tenant = uuidv7();
    const ids = [await kiln.add(tenant), await kiln.add(tenant), await kiln.add(tenant)];
    const claimed = [await kiln.claimed(), await kiln.claimed(), await kiln.claimed()];
    assert.deepEqual(
      claimed.map(({ job }) => job.id),
      ids,
    );
  });

  it('gives each of 200 jobs to exactly one of eight claimers, for one tenant as for many', async () => {
    for (const tenantCount of [1, 10]) {
      for (let index = 0; index < tenantCount; index++) await kiln.addMany(uuidv7(), 200 / tenantCount);
      const seen: string[] = [];
      const claimAll = async () => {
        for (let job = await kiln.claimNext(); job; job = await kiln.claimNext()) seen.push(job.id);
      };
      await Promise.all(Array.from({ length: 8 }, claimAll));
      assert.equal(seen.length, 200);
      assert.equal(new Set(seen).size, 200);
    }
  });

  it('tells claimers that collide at the only tenant to look again, and never that nothing is due', async () => {
    await kiln.addMany(uuidv7(), 100);
    const answers = await Promise.all(Array.from({ length: 40 }, () => kiln.claims.claim()));
    assert.ok(!answers.includes('none'));
  });

  it('passes over a job whose bytes are still to come', async () => {
    const tenant = uuidv7();
    await kiln.add(tenant, { ready: false });
    assert.equal(await kiln.claims.claim(), 'none');
  });

  it('of a job given back with a delay waits until then, and serves the others meanwhile', async () => {
    const [early, late] = [uuidv7(), uuidv7()];
    await kiln.add(late);
    const { lease } = await kiln.claimed();
    await kiln.leases.release(lease, { ...again, delaySeconds: 3_600 });
    await kiln.add(early);
    assert.equal((await kiln.claimed()).job.tenant_id, early);
    assert.equal(await kiln.claimNext(), null);
    await kiln.sql(`update queued_jobs set run_after = now() where tenant_id = $1`, [late]);
    await kiln.sql(`update waiting_tenants set due_at = now() where tenant_id = $1`, [late]);
    assert.equal((await kiln.claimed()).job.tenant_id, late);
  });

  it('settles each tenant with only later jobs once, and then answers at once that nothing is due', async () => {
    for (let index = 0; index < 20; index++) await kiln.add(uuidv7());
    for (let index = 0; index < 20; index++) {
      await kiln.leases.release((await kiln.claimed()).lease, { ...again, delaySeconds: 600 });
    }
    let retries = 0;
    while ((await kiln.claims.claim()) === 'retry') retries++;
    assert.ok(retries <= 20, `${retries} retries`);
    assert.equal(await kiln.claims.claim(), 'none');
    const [row] = await kiln.sql<{ due: number }>(
      'select count(*)::int as due from waiting_tenants where due_at <= now()',
    );
    assert.equal(row?.due, 0);
  });

  it('brings a tenant that waits for a later job back at once when it gets another', async () => {
    const tenant = uuidv7();
    await kiln.add(tenant);
    await kiln.leases.release((await kiln.claimed()).lease, { ...again, delaySeconds: 600 });
    assert.equal(await kiln.claimNext(), null);
    const next = await kiln.add(tenant);
    assert.equal((await kiln.claimed()).job.id, next);
  });

  it('misses no job that is added just while its tenant is found empty', async () => {
    const tenant = uuidv7();
    let added = 0;
    let claimed = 0;
    const addAll = async () => {
      for (; added < 300; added++) await kiln.add(tenant);
    };
    const claimAll = async () => {
      while (claimed < 300) {
        const claim = await kiln.claims.claim();
        if (typeof claim === 'object') claimed++;
        // Every job that has been added is either claimed or claimable: no repair has run.
        else if (claim === 'none' && added === 300 && claimed < 300) {
          const [row] = await kiln.sql<{ left: number }>(
            `select count(*)::int as left from jobs where status = 'queued'`,
          );
          assert.equal(row?.left, 0, 'a job lies in the queue that no claim finds');
          return;
        }
      }
    };
    await Promise.all([addAll(), claimAll(), claimAll()]);
    assert.equal(claimed, 300);
  });

  it('is not held up by a long transaction that adds jobs of the same tenant', async () => {
    const tenant = uuidv7();
    const ready = await kiln.add(tenant);
    await kiln.database.transaction(async (transaction) => {
      await kiln.tenants.join(transaction, tenant);
      assert.equal((await kiln.claimed()).job.id, ready);
    });
  });

  it('finds the work of tenants that lost their place, or keep a wrong one, once it was restored', async () => {
    const tenants = [uuidv7(), uuidv7(), uuidv7()];
    for (const tenant of tenants) await kiln.add(tenant);
    await kiln.sql('delete from waiting_tenants where tenant_id = $1', [tenants[0]]);
    await kiln.sql(`update waiting_tenants set due_at = now() + interval '1 day' where tenant_id = $1`, [tenants[1]]);
    await kiln.tenants.restore();
    const served = new Set<string>();
    for (const _ of tenants) served.add((await kiln.claimed()).job.tenant_id);
    assert.deepEqual([...served].sort(), tenants);
  });

  it('raises the fence with every claim', async () => {
    await kiln.add(uuidv7());
    for (let fence = 1; fence <= 3; fence++) {
      const { job } = await kiln.claimed();
      assert.equal(job.fence, fence);
      await kiln.leases.release(leaseOf(job), { ...again, delaySeconds: 0 });
    }
  });
});
