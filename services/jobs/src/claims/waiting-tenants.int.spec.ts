// Real: Postgres, without autovacuum, after which plans are made again. Faked: nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { allSentBy, eventually, QueryPlans, sentBy, withoutAutovacuum } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { LANE, leaseOf, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { scannedBlocks } from '../test/scanned-blocks.js';
import { FROM_START } from './claim-positions.domain.js';
import { pickTenants } from './pick-tenants.statement.js';
import { TenantQueueStore } from './tenant-queue.store.js';

const TENANTS = 500;
/** The pages of the indexes, also those with dead entries only, are fewer than this. Each tenant that is read is one block more. */
const BLOCKS_MAX = 100;
const INDEXES = ['waiting_tenants_round_robin', 'waiting_tenants_by_due', 'waiting_tenants_pkey'];

describe('among 500 tenants that wait', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
    await withoutAutovacuum(kiln.database);
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const addTenants = () =>
    kiln.sql(
      `with made as (
         insert into jobs (tenant_id, id, file_id, space, filename, ready, processing)
         select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'default', 'a.md', true, '{}' from generate_series(1, ${TENANTS})
         returning tenant_id)
       insert into waiting_tenants (tenant_id, lane, due_at) select tenant_id, '${LANE}', now() from made`,
    );
  const nextDueBlocks = async () => {
    const sent = await sentBy((recorder) => new TenantQueueStore(recorder).nextDueInMs(LANE, [], FROM_START));
    return scannedBlocks(kiln, sent, sent.values, INDEXES);
  };

  it('the look for the next due time reads the first of them', async () => {
    await addTenants();
    expect(await kiln.claims.nextDueInMs([])).toBe(0);
    expect(await nextDueBlocks()).toBeLessThan(BLOCKS_MAX);
  });

  it('the removal of one reads it alone, even by a plan that was made while none waited', async () => {
    const tenantId = uuidv7();
    const sent = await allSentBy((recorder: object) => {
      const transaction = (work: (within: unknown) => Promise<unknown>) => work(recorder);
      return new TenantQueueStore(Object.assign(recorder, { transaction }) as never).removeIdle(LANE, [tenantId]);
    });
    const [, removeIdle] = sent;
    if (!removeIdle) throw new Error('no statement');
    const plans = await QueryPlans.open(kiln.database);
    await plans.plan(removeIdle, [[tenantId], LANE, ['(0,1)']]);
    await addTenants();
    const read = (await plans.reads(removeIdle, [[tenantId], LANE, ['(0,1)']])).get('waiting_tenants');
    await plans.close();
    // The row is looked at once to remove it, once to postpone it.
    expect(read?.by).toStrictEqual(['Tid Scan']);
    expect(read?.rows).toBeLessThanOrEqual(2);
  });

  for (const hasLeft of [false, true]) {
    const whose = hasLeft ? 'joined the queue again for a retry' : 'were postponed';
    it(`a claim and the look for the next due time read none of those that ${whose}`, async () => {
      await addTenants();
      const { jobs } = await kiln.claims.claim(TENANTS);
      const ids = jobs.map(({ tenant_id }) => tenant_id);
      if (hasLeft) await kiln.claims.removeIdle(ids);
      for (const job of jobs)
        await kiln.leases.release(leaseOf(job), { error: null, counted: false, delaySeconds: 600 });
      if (!hasLeft) await kiln.claims.removeIdle(ids);
      expect(await kiln.claims.nextDueInMs([])).toBeGreaterThan(0);
      const due = await kiln.add(uuidv7());
      // A vacuum leaves what another session may still see: the pool analyzes tables beside the statements.
      await eventually(async () => {
        await kiln.sql('vacuum waiting_tenants');
        const blocks = await scannedBlocks(kiln, pickTenants, [2, LANE, [], -Infinity, -Infinity], INDEXES);
        expect(blocks).toBeLessThan(BLOCKS_MAX);
      });
      expect((await kiln.claims.claim(2)).jobs.map(({ id }) => id)).toStrictEqual([due]);
      expect(await nextDueBlocks()).toBeLessThan(BLOCKS_MAX);
    });
  }
});
