// Real: Postgres. Faked: nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { OperatorJobStore, type JobFilter } from './operator-jobs.store.js';

describe('the operator’s jobs', () => {
  let kiln: JobsHarness;
  let jobs: OperatorJobStore;
  beforeAll(async () => {
    kiln = await startJobs();
    jobs = new OperatorJobStore(kiln.database);
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const every: JobFilter = { tenantIds: null, statuses: ['queued', 'failed'], ageSeconds: 0 };
  async function found(filter: Partial<JobFilter>): Promise<string[]> {
    const ids: string[] = [];
    for await (const batch of jobs.matching({ ...every, ...filter })) ids.push(...batch.map(({ id }) => id));
    return ids;
  }

  it('are each found once, even when many were created in the same millisecond', async () => {
    const tenants = [uuidv7(), uuidv7()] as const;
    for (const tenant of tenants) await kiln.addMany(tenant, 1_200);
    expect(new Set(await found({})).size).toBe(2_400);
    expect(await found({})).toHaveLength(2_400);
    expect(await found({ tenantIds: [tenants[1]] })).toHaveLength(1_200);
  });

  it('are neither missed nor repeated when they change between pages', async () => {
    await kiln.addMany(uuidv7(), 1_200);
    const met: string[] = [];
    for await (const batch of jobs.matching(every)) {
      met.push(...batch.map(({ id }) => id));
      await kiln.sql(`update jobs set status = 'cancelled' where id = any ($1)`, [batch.map(({ id }) => id)]);
    }
    expect([met.length, new Set(met).size]).toStrictEqual([1_200, 1_200]);
  });

  it('match by status, provider, error, space and age together', async () => {
    const tenant = uuidv7();
    const wanted = await kiln.add(tenant, { space: 'a' });
    await kiln.add(tenant, { space: 'b' });
    const young = await kiln.add(tenant, { space: 'a' });
    const error = { code: 'timeout', message: 'Late.', retryable: true };
    await kiln.sql(`update jobs set status = 'failed', error = $1`, [error]);
    await kiln.sql(`update jobs set created_at = now() - interval '2 hours' where id <> $1`, [young]);
    const filter = { provider: 'document_extractor', errorCode: 'timeout', space: 'a', ageSeconds: 3_600 };
    expect(await found(filter)).toStrictEqual([wanted]);
    expect(await found({ ...filter, errorCode: 'internal' })).toStrictEqual([]);
    expect(await found({ ...filter, provider: 'image_extractor' })).toStrictEqual([]);
    expect(await found({ ...filter, statuses: ['queued'] })).toStrictEqual([]);
    expect(await found({ ...filter, ageSeconds: 0 })).toHaveLength(2);
  });

  it('are found by id, for any tenant', async () => {
    for (let index = 0; index < 3; index++) await kiln.add(uuidv7());
    const tenant = uuidv7();
    const id = await kiln.add(tenant);
    expect((await jobs.find(id))?.tenant_id).toBe(tenant);
    expect(await jobs.find(uuidv7())).toBeNull();
  });
});
