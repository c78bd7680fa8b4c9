// Real: Postgres. Faked: the processes of the release before, by the statements they send: of the one before the last, which knows
// of no stage and none of its tables, and of the last, which has a lease for each run. They run beside those of this release while an installation is brought up to date.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { leaseOf, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { misplacedJobs } from '../test/model/visible-jobs.js';

describe('beside processes of the release before', () => {
  let kiln: JobsHarness;
  const tenantId = uuidv7();
  before(async () => {
    kiln = await startJobs();
  });
  afterEach(async () => {
    assert.deepEqual(await misplacedJobs(kiln), []);
    await kiln.clear();
  });
  after(() => kiln.close());

  const old = {
    add: async (ready = true) => {
      const jobId = uuidv7();
      await kiln.sql(
        `insert into jobs (tenant_id, id, file_id, space, filename, content_type, ready, processing)
         values ($1, $2, gen_random_uuid(), 'default', 'a.md', 'text/markdown', $3, '{}') on conflict do nothing`,
        [tenantId, jobId, ready],
      );
      await kiln.tenants.join(kiln.database, tenantId);
      return jobId;
    },
    claim: (jobId: string) =>
      kiln.sql(
        `update jobs set status = 'processing', fence = fence + 1, attempts = attempts + 1, worker_id = 'old', run_started_at = now(),
           lease_expires_at = now() + interval '20 seconds' where id = $1 and status = 'queued' and ready returning fence`,
        [jobId],
      ),
    renew: (jobId: string) =>
      kiln.sql(
        `update jobs set lease_expires_at = now() + interval '60 seconds' where id = $1 and status = 'processing'`,
        [jobId],
      ),
    end: (jobId: string, status: string) =>
      kiln.sql(
        `update jobs set status = $2, completed_at = now(), lease_expires_at = null, worker_id = null where id = $1`,
        [jobId, status],
      ),
    release: (jobId: string) =>
      kiln.sql(
        `update jobs set status = 'queued', run_after = now(), lease_expires_at = null, worker_id = null where id = $1`,
        [jobId],
      ),
  };

  it('a job that they make, or make ready, is found and run', async () => {
    const [ready, waiting] = [await old.add(), await old.add(false)];
    const first = await kiln.claimed();
    assert.equal(first.job.id, ready);
    await kiln.database.transaction((transaction) => kiln.leases.complete(transaction, first.lease));
    assert.equal(await kiln.claimNext(), null);
    await kiln.sql('update jobs set ready = true, run_after = now() where id = $1', [waiting]);
    await kiln.tenants.join(kiln.database, tenantId);
    assert.equal((await kiln.claimed()).job.id, waiting);
  });

  it('a job asked for twice by them stays as it is', async () => {
    const jobId = await kiln.add(tenantId);
    const { lease } = await kiln.claimed();
    await kiln.database.transaction((transaction) => kiln.leases.complete(transaction, lease));
    await kiln.sql(
      `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing)
       values ($1, $2, gen_random_uuid(), 'default', 'a.md', true, '{}') on conflict do nothing`,
      [tenantId, jobId],
    );
    assert.equal((await kiln.stored(tenantId, jobId)).status, 'completed');
  });

  it('a run of theirs keeps its lease as they renew it, and is taken from them only when they don’t', async () => {
    const jobId = await kiln.add(tenantId);
    assert.equal((await old.claim(jobId)).length, 1);
    await kiln.loseLeases();
    await old.renew(jobId);
    const reclaim = () =>
      kiln.leases.reclaim(kiln.database, {
        limit: 10,
        lostLeasesMax: 10,
        error: { code: 'internal', message: 'Lost.', retryable: true },
      });
    assert.deepEqual(await reclaim(), []);
    await kiln.loseLeases();
    assert.equal((await reclaim()).length, 1);
    assert.equal((await kiln.claimed()).job.fence, 2);
  });

  for (const status of ['completed', 'failed', 'cancelled']) {
    it(`a job that they end as ${status} has ended, whoever ran it`, async () => {
      const [theirs, ours] = [await kiln.add(tenantId), await kiln.add(tenantId)];
      await old.claim(theirs);
      const { job } = await kiln.claimed();
      assert.equal(job.id, ours);
      for (const jobId of [theirs, ours]) await old.end(jobId, status);
      assert.equal((await kiln.leases.extend([leaseOf(job)])).size, 0);
      assert.equal(await kiln.claimNext(), null);
    });
  }

  describe('which keep a lease for each run', () => {
    const before = {
      claim: (jobId: string) =>
        kiln.sql(
          `with begun as (
             update jobs set status = 'processing', stage = 'processing', fence = fence + 1, attempts = attempts + 1 where id = $1
             returning *
           ), dequeued as (delete from queued_jobs where id = $1)
           insert into job_leases (tenant_id, id, fence, worker_id, expires_at)
           select tenant_id, id, fence, 'before', now() + interval '20 seconds' from begun`,
          [jobId],
        ),
      renew: (jobId: string) =>
        kiln.sql(`update job_leases set expires_at = now() + interval '60 seconds' where id = $1`, [jobId]),
      release: (jobId: string) =>
        kiln.sql(
          `with released as (
             update jobs set status = 'queued', stage = 'queued', run_after = now() where id = $1 returning *
           ), let_go as (delete from job_leases where id = $1)
           insert into queued_jobs select tenant_id, created_at, id, fence, space, provider, priority, ready, run_after
           from released`,
          [jobId],
        ),
    };
    const reclaim = () =>
      kiln.leases.reclaim(kiln.database, {
        limit: 10,
        lostLeasesMax: 10,
        error: { code: 'internal', message: 'Lost.', retryable: true },
      });
    const theirLeases = () => kiln.sql<{ id: string }>('select id from job_leases');

    it('a run is seen, kept as they renew it, and taken from them only when they don’t', async () => {
      const jobId = await kiln.add(tenantId);
      await before.claim(jobId);
      assert.ok((await kiln.stored(tenantId, jobId)).lease_ends_at);
      await kiln.loseLeases();
      await before.renew(jobId);
      assert.deepEqual(await reclaim(), []);
      await kiln.loseLeases();
      assert.equal((await reclaim()).length, 1);
      assert.deepEqual(await theirLeases(), []);
      assert.equal((await kiln.claimed()).job.fence, 2);
    });

    it('what they give back is free, and what is ended here leaves nothing of theirs behind', async () => {
      const [back, ended] = [await kiln.add(tenantId), await kiln.add(tenantId)];
      for (const jobId of [back, ended]) await before.claim(jobId);
      await before.release(back);
      assert.equal((await kiln.claimed()).job.id, back);
      await kiln.leases.cancel(kiln.database, { tenantId, jobId: ended, fence: 1 });
      assert.deepEqual(await theirLeases(), [{ id: ended }]);
      await kiln.loseLeases();
      await reclaim();
      assert.deepEqual(await theirLeases(), []);
    });
  });

  it('a job that they give back or delete is queued or gone', async () => {
    const [back, gone] = [await kiln.add(tenantId), await kiln.add(tenantId)];
    for (const jobId of [back, gone]) await old.claim(jobId);
    await old.release(back);
    await kiln.sql('delete from jobs where id = $1', [gone]);
    assert.equal((await kiln.claimed()).job.id, back);
  });
});
