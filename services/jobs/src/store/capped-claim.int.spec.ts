// Real: Postgres. Faked: the passing of the second after which a tenant without room is looked at again.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { RunningLimits } from '../domain/running-limits.js';
import { BATCH_WAIT_SECONDS, finishedRun, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { CappedClaimStore } from './capped-claim.store.js';
import { ClaimStore } from './claim.store.js';
import type { ClaimedJob } from './job.rows.js';

describe('claims with limits on what runs', () => {
  let kiln: JobsHarness;
  before(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  const limited = (limits: Partial<RunningLimits>) => {
    const capped = new CappedClaimStore(kiln.database, { ofTenant: null, ofProvider: new Map(), ...limits });
    return new ClaimStore(kiln.database, kiln.tenants, {
      workerId: 'worker',
      leaseSeconds: 20,
      batchWaitSeconds: BATCH_WAIT_SECONDS,
      capped,
    });
  };
  const addOf = async (tenantId: string, provider: string, count: number) => {
    await kiln.addMany(tenantId, count);
    for (const table of ['jobs', 'queued_jobs']) {
      await kiln.sql(`update ${table} set provider = $2 where tenant_id = $1 and provider is null`, [
        tenantId,
        provider,
      ]);
    }
  };
  const secondLater = () =>
    kiln.sql(`update waiting_tenants set due_at = least(due_at, now())
                                   where tenant_id in (select tenant_id from waiting_tenants for update skip locked)`);
  const providers = (jobs: ClaimedJob[]) =>
    jobs.map(({ provider }) => provider ?? '').sort((a, b) => a.localeCompare(b));

  it('run no more jobs of a tenant than allowed, and fill each free place at once', async () => {
    const [large, small] = [uuidv7(), uuidv7()];
    await kiln.addMany(large, 50);
    await kiln.addMany(small, 1);
    const claims = limited({ ofTenant: 3 });
    const { jobs } = await claims.turn(20);
    assert.equal(jobs.filter(({ tenant_id }) => tenant_id === large).length, 3);
    assert.equal(jobs.length, 4);
    const full = await claims.turn(20);
    assert.deepEqual([full.jobs, full.busy], [[], true]);
    const running = jobs.filter(({ tenant_id }) => tenant_id === large);
    await kiln.completions.complete(running.slice(0, 2).map(finishedRun));
    const next = await claims.turn(20, { endedOf: [large] });
    assert.deepEqual(
      next.jobs.map(({ tenant_id }) => tenant_id),
      [large, large],
    );
  });

  it('run no more jobs of a provider than allowed, over all tenants, and pass over them to others', async () => {
    const [first, second] = [uuidv7(), uuidv7()];
    for (const tenant of [first, second]) {
      await addOf(tenant, 'audio_extractor', 20);
      await addOf(tenant, 'document_extractor', 2);
    }
    const claims = limited({ ofProvider: new Map([['audio_extractor', 2]]) });
    const running = (await claims.turn(4)).jobs;
    assert.deepEqual(providers(running), ['audio_extractor', 'audio_extractor']);
    const passed = (await claims.turn(10)).jobs;
    assert.deepEqual(providers(passed), Array<string>(4).fill('document_extractor'));
    assert.deepEqual((await claims.turn(10)).jobs, []);
    await secondLater();
    const audio = running.slice(0, 1).map(finishedRun);
    await kiln.completions.complete(audio);
    assert.deepEqual(providers((await claims.turn(10)).jobs), ['audio_extractor']);
  });

  it('hold them though many claim at the same time, and leave no job behind', async () => {
    const tenants = [uuidv7(), uuidv7(), uuidv7()];
    for (const tenant of tenants) await addOf(tenant, 'image_extractor', 40);
    const claims = limited({ ofTenant: 4, ofProvider: new Map([['image_extractor', 7]]) });
    let completed = 0;
    let most = 0;
    const work = async () => {
      let running: ClaimedJob[] = [];
      while (completed < 120) {
        await secondLater();
        assert.deepEqual(await kiln.completions.complete(running.map(finishedRun)), []);
        completed += running.length;
        running = (await claims.turn(5)).jobs;
        const [row] = await kiln.sql<{ all: number; of_tenant: number }>(
          `select coalesce(sum(jobs), 0)::int as all, coalesce(max(jobs), 0)::int as of_tenant from (
             select count(*) as jobs from jobs where status = 'processing' group by tenant_id) running`,
        );
        assert.ok(row && row.all <= 7 && row.of_tenant <= 4, JSON.stringify(row));
        most = Math.max(most, row.all);
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    assert.equal(most, 7);
  });

  it('do not ask a tenant without room again and again, and put away one without jobs', async () => {
    const [full, empty] = [uuidv7(), uuidv7()];
    await kiln.addMany(full, 5);
    await kiln.addMany(empty, 1);
    const claims = limited({ ofTenant: 1 });
    assert.equal((await claims.turn(2)).jobs.length, 2);
    const { drained } = await claims.turn(2);
    assert.deepEqual(drained, [empty]);
    assert.equal(await claims.settle(drained), true);
    const { jobs, busy } = await claims.turn(2);
    assert.deepEqual([jobs, busy], [[], false], 'nobody is due for a second');
  });
});
