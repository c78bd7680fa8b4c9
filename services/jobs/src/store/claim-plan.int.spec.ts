// Real: Postgres with 100,000 queued jobs of 1,000 tenants. Faked: nothing.
import type { Queryable, Statement } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { ClaimStore } from './claim.store.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** The statement that a claim sends. */
async function claimStatement(kiln: JobsHarness): Promise<{ text: string; values: unknown[] }> {
  const sent: { text: string; values: unknown[] }[] = [];
  const recorder: Queryable = {
    query: ({ text }: Statement, values: unknown[] = []) => {
      sent.push({ text, values });
      return Promise.resolve([]);
    },
  };
  await new ClaimStore(recorder, kiln.tenants, 'worker', 20).claim();
  assert.ok(sent[0]);
  return sent[0];
}

describe('a claim among 100,000 queued jobs', () => {
  let kiln: JobsHarness;
  before(async () => {
    kiln = await startJobs();
    const insert = (rows: string) =>
      kiln.sql(`insert into jobs (tenant_id, id, file_id, space, filename, ready, processing)
                select t, gen_random_uuid(), gen_random_uuid(), 'default', 'a.md', true, '{}' from ${rows}`);
    await insert('(select gen_random_uuid() as t from generate_series(1, 999)) tenants, generate_series(1, 50)');
    await insert(`(select '00000000-0000-7000-8000-000000000001'::uuid as t) large, generate_series(1, 50050)`);
    await kiln.tenants.restore();
    await kiln.sql('analyze jobs');
    await kiln.sql('analyze waiting_tenants');
  });
  after(() => kiln.close());

  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    it(`is a handful of index probes, also for a tenant with half of them (${mode})`, async () => {
      const { text, values } = await claimStatement(kiln);
      await kiln.sql(`update waiting_tenants set served_at = now()
                      where tenant_id <> '00000000-0000-7000-8000-000000000001'`);
      await kiln.database.transaction(async (transaction) => {
        await transaction.query({ name: '', text: `set local plan_cache_mode = ${mode}` });
        const explain = { name: '', text: `explain (analyze, buffers, format json) ${text}` };
        const [row] = await transaction.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain, values);
        const plan = row?.['QUERY PLAN'][0]?.Plan;
        assert.ok(plan);
        const nodes = flatten(plan).filter((node) => node['Relation Name'] === 'jobs');
        assert.ok(nodes.length > 0);
        for (const node of nodes) {
          if (node['Node Type'] === 'ModifyTable') continue;
          assert.match(node['Node Type'], /Index/);
          assert.ok(node['Actual Rows'] <= 1 && (node['Rows Removed by Filter'] ?? 0) === 0, JSON.stringify(node));
        }
        assert.ok(!flatten(plan).some((node) => node['Node Type'] === 'Sort'));
      });
    });
  }

  it('takes milliseconds', async (context) => {
    const started = performance.now();
    for (let index = 0; index < 500; index++) await kiln.claimed();
    const each = (performance.now() - started) / 500;
    context.diagnostic(`${each.toFixed(2)} ms a claim`);
    assert.ok(each < 50);
    const restored = performance.now();
    await kiln.tenants.restore();
    context.diagnostic(`${(performance.now() - restored).toFixed(1)} ms to check the places of 1,000 tenants`);
  });
});
