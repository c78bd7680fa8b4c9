// Real: Postgres. Faked: nothing.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { placeJobs } from '../test/place-jobs.js';
import { OperatorJobStore, PAGE_ROWS, pageOf, type JobFilter } from './operator-jobs.store.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name': string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

const leavesOf = (node: PlanNode): PlanNode[] => [
  ...(node['Relation Name'] ? [node] : []),
  ...(node.Plans ?? []).flatMap(leavesOf),
];

describe('the operator’s jobs', () => {
  let kiln: JobsHarness;
  let jobs: OperatorJobStore;
  before(async () => {
    kiln = await startJobs();
    jobs = new OperatorJobStore(kiln.database);
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  const every: JobFilter = { tenantIds: null, statuses: ['queued', 'failed'], ageSeconds: 0 };
  async function found(filter: Partial<JobFilter>): Promise<string[]> {
    const ids: string[] = [];
    for await (const batch of jobs.matching({ ...every, ...filter })) ids.push(...batch.map(({ id }) => id));
    return ids;
  }

  it('are all found, once each, though many were made in the same millisecond', async () => {
    const tenants = [uuidv7(), uuidv7()] as const;
    for (const tenant of tenants) await kiln.addMany(tenant, 1_200);
    assert.equal(new Set(await found({})).size, 2_400);
    assert.equal((await found({})).length, 2_400);
    assert.equal((await found({ tenantIds: [tenants[1]] })).length, 1_200);
  });

  it('are missed by none and met by none twice when they change while they are paged through', async () => {
    await kiln.addMany(uuidv7(), 1_200);
    const met: string[] = [];
    for await (const batch of jobs.matching(every)) {
      met.push(...batch.map(({ id }) => id));
      await kiln.sql(`update jobs set status = 'cancelled' where id = any ($1)`, [batch.map(({ id }) => id)]);
      await placeJobs(kiln);
    }
    assert.deepEqual([met.length, new Set(met).size], [1_200, 1_200]);
  });

  it('are read a page at a time by an index, whatever is looked for among them', async () => {
    const tenant = uuidv7();
    await kiln.addMany(tenant, 5_000);
    for (const [status, index] of [
      ['queued', 'queued_jobs_pkey'],
      ['failed', 'ended_jobs_pkey'],
    ] as const) {
      await kiln.sql('update jobs set status = $1', [status]);
      await placeJobs(kiln);
      for (const table of ['jobs', 'queued_jobs', 'ended_jobs']) await kiln.sql(`vacuum analyze ${table}`);
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await kiln.database.transaction(async (transaction) => {
          await transaction.query({ name: '', text: `set local plan_cache_mode = ${mode}` });
          const explain = { name: '', text: `explain (analyze, format json) ${pageOf(status).text}` };
          const values = [tenant, '-infinity', tenant, 0];
          const [row] = await transaction.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain, values);
          const leaves = row ? leavesOf(row['QUERY PLAN'][0].Plan) : [];
          const reads = leaves.map((leaf) => [leaf['Index Name'], leaf['Actual Rows'] * leaf['Actual Loops']]);
          assert.deepEqual(
            new Map(reads as [string, number][]),
            new Map([
              [index, PAGE_ROWS],
              ['jobs_pkey', PAGE_ROWS],
            ]),
          );
        });
      }
    }
  });

  it('match by status, provider, error, space and age together', async () => {
    const tenant = uuidv7();
    const wanted = await kiln.add(tenant, { space: 'a' });
    await kiln.add(tenant, { space: 'b' });
    const young = await kiln.add(tenant, { space: 'a' });
    const error = { code: 'timeout', message: 'Late.', retryable: true };
    await kiln.sql(`update jobs set status = 'failed', error = $1`, [error]);
    await kiln.sql(`update jobs set created_at = now() - interval '2 hours' where id <> $1`, [young]);
    await placeJobs(kiln);
    const filter = { provider: 'document_extractor', errorCode: 'timeout', space: 'a', ageSeconds: 3_600 };
    assert.deepEqual(await found(filter), [wanted]);
    assert.deepEqual(await found({ ...filter, errorCode: 'internal' }), []);
    assert.deepEqual(await found({ ...filter, provider: 'image_extractor' }), []);
    assert.deepEqual(await found({ ...filter, statuses: ['queued'] }), []);
    assert.equal((await found({ ...filter, ageSeconds: 0 })).length, 2);
  });

  it('are found by their id, whoever’s they are', async () => {
    for (let index = 0; index < 3; index++) await kiln.add(uuidv7());
    const tenant = uuidv7();
    const id = await kiln.add(tenant);
    assert.equal((await jobs.find(id))?.tenant_id, tenant);
    assert.equal(await jobs.find(uuidv7()), null);
  });
});
