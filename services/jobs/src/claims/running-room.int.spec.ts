// Real: Postgres. Faked: a connection that is lost, and the passing of the second after which a tenant without room is due again.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { RunningLimits } from './running-limits.domain.js';
import { BATCH_WAIT_SECONDS, LANE, finishedRun, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { ClaimStore } from './claim.store.js';
import { RunningRoomStore } from './running-room.store.js';
import type { ClaimedJob } from '../jobs/job.rows.js';

describe('claims with limits on running jobs', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const limited = (limits: Partial<RunningLimits>, database: Database = kiln.database) => {
    return new ClaimStore(kiln.database, kiln.tenants, {
      workerId: 'worker',
      lane: LANE,
      leaseSeconds: 20,
      batchWaitSeconds: BATCH_WAIT_SECONDS,
      runningRoom: new RunningRoomStore(database, { ofTenant: null, ofProvider: new Map(), ...limits }),
    });
  };
  const addOf = async (tenantId: string, provider: string, count: number) => {
    await kiln.addMany(tenantId, count);
    await kiln.sql('update jobs set provider = $2 where tenant_id = $1 and provider is null', [tenantId, provider]);
  };
  const secondLater = () =>
    kiln.sql(`update waiting_tenants set due_at = least(due_at, now())
                                   where tenant_id in (select tenant_id from waiting_tenants for update skip locked)`);
  const providers = (jobs: ClaimedJob[]) =>
    jobs.map(({ provider }) => provider ?? '').sort((a, b) => a.localeCompare(b));

  it('run no more jobs of a tenant than allowed, and use each free place at once', async () => {
    const [large, small] = [uuidv7(), uuidv7()];
    await kiln.addMany(large, 50);
    await kiln.addMany(small, 1);
    const claims = limited({ ofTenant: 3 });
    const { jobs } = await claims.claim(20);
    expect(jobs.filter(({ tenant_id }) => tenant_id === large)).toHaveLength(3);
    expect(jobs).toHaveLength(4);
    expect(await claims.claim(20)).toStrictEqual({ jobs: [], drained: [small] });
    const running = jobs.filter(({ tenant_id }) => tenant_id === large);
    await kiln.completions.complete(running.slice(0, 2).map(finishedRun));
    claims.onRunEnded(large);
    const next = await claims.claim(20);
    expect(next.jobs.map(({ tenant_id }) => tenant_id)).toStrictEqual([large, large]);
  });

  it('return the jobs that they have claimed if the tenants without room cannot be postponed', async () => {
    const [large, small] = [uuidv7(), uuidv7()];
    await kiln.addMany(large, 2);
    const claims = limited({ ofTenant: 1 });
    expect((await claims.claim(1)).jobs).toHaveLength(1);
    await kiln.addMany(small, 1);
    const database = Object.create(kiln.database) as Database;
    database.query = () => Promise.reject(new Error('the connection is lost'));
    const failing = limited({ ofTenant: 1 }, database);
    const { jobs, drained } = await failing.claim(5);
    expect([jobs.map(({ tenant_id }) => tenant_id), drained]).toStrictEqual([[small], []]);
    await expect(failing.claim(5)).rejects.toThrow('the connection is lost');
  });

  it('run no more jobs of a provider than allowed, over all tenants, and skip to jobs of other providers', async () => {
    const [first, second] = [uuidv7(), uuidv7()];
    for (const tenant of [first, second]) {
      await addOf(tenant, 'audio_extractor', 20);
      await addOf(tenant, 'document_extractor', 2);
    }
    const claims = limited({ ofProvider: new Map([['audio_extractor', 2]]) });
    const running = (await claims.claim(4)).jobs;
    expect(providers(running)).toStrictEqual(['audio_extractor', 'audio_extractor']);
    const passed = (await claims.claim(10)).jobs;
    expect(providers(passed)).toStrictEqual(Array<string>(4).fill('document_extractor'));
    expect((await claims.claim(10)).jobs).toStrictEqual([]);
    await secondLater();
    const audio = running.slice(0, 1).map(finishedRun);
    await kiln.completions.complete(audio);
    expect(providers((await claims.claim(10)).jobs)).toStrictEqual(['audio_extractor']);
  });

  it('keep the limits under concurrency, and leave no job unclaimed', async () => {
    const tenants = [uuidv7(), uuidv7(), uuidv7()];
    for (const tenant of tenants) await addOf(tenant, 'image_extractor', 40);
    const claims = limited({ ofTenant: 4, ofProvider: new Map([['image_extractor', 7]]) });
    let completed = 0;
    let most = 0;
    const work = async () => {
      let running: ClaimedJob[] = [];
      while (completed < 120) {
        await secondLater();
        expect(await kiln.completions.complete(running.map(finishedRun))).toStrictEqual([]);
        completed += running.length;
        running = (await claims.claim(5)).jobs;
        const [row] = await kiln.sql<{ all: number; of_tenant: number }>(
          `select coalesce(sum(jobs), 0)::int as all, coalesce(max(jobs), 0)::int as of_tenant from (
             select count(*) as jobs from jobs where status = 'processing' group by tenant_id) running`,
        );
        if (!row || !(row.all <= 7) || !(row.of_tenant <= 4)) throw new Error(JSON.stringify(row));
        most = Math.max(most, row.all);
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    expect(most).toBe(7);
  });

  it('skip a tenant without room for a second, and remove a tenant without jobs', async () => {
    const [full, empty] = [uuidv7(), uuidv7()];
    await kiln.addMany(full, 5);
    await kiln.addMany(empty, 1);
    const claims = limited({ ofTenant: 1 });
    expect((await claims.claim(2)).jobs).toHaveLength(2);
    const { drained } = await claims.claim(2);
    expect(drained).toStrictEqual([empty]);
    expect(await claims.removeIdle(drained)).toBe(true);
    // No tenant is due for a second; an hour here, since a busy machine may take a second.
    await kiln.sql(`update waiting_tenants set due_at = due_at + interval '1 hour' where tenant_id = $1`, [full]);
    expect(await claims.claim(2)).toStrictEqual({ jobs: [], drained: [] });
    const dueInMs = (await claims.nextDueInMs([])) ?? 0;
    expect(dueInMs).toBeGreaterThan(0);
    expect(dueInMs).toBeLessThanOrEqual(3_601_000);
  });
});
