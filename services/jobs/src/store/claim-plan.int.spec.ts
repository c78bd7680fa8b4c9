// Real: Postgres with 100,000 queued jobs of 1,000 tenants. Faked: nothing.
import type { Queryable, Statement } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { finishedRun, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { placeJobs } from '../test/place-jobs.js';
import { ClaimStore } from './claim.store.js';
import { CompletionStore, type FinishedRun } from './completion.store.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
const rowsRead = (node: PlanNode) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
const CLAIM_OPTIONS = { workerId: 'worker', leaseSeconds: 20, batchWaitSeconds: 600 };
const LARGE = '00000000-0000-7000-8000-000000000001';

/** The statement that a worker sends by this. */
async function statementOf(use: (recorder: Queryable) => Promise<unknown>) {
  const sent: { text: string; values: unknown[] }[] = [];
  const recorder: Queryable = {
    query: ({ text }: Statement, values: unknown[] = []) => {
      sent.push({ text, values });
      return Promise.reject(new Error('not sent'));
    },
  };
  await assert.rejects(use(recorder), /not sent/);
  assert.ok(sent[0]);
  return sent[0];
}

describe('claims and completions among 100,000 queued jobs of 1,000 tenants', () => {
  let kiln: JobsHarness;
  before(async () => {
    kiln = await startJobs();
    const insert = (rows: string) =>
      kiln.sql(`insert into jobs (tenant_id, id, file_id, space, filename, ready, processing)
                select t, gen_random_uuid(), gen_random_uuid(), 'default', 'a.md', true, '{}' from ${rows}`);
    const tenantId = `overlay(gen_random_uuid()::text placing '7' from 15 for 1)::uuid`;
    await insert(`(select ${tenantId} as t from generate_series(1, 999)) tenants, generate_series(1, 50)`);
    await insert(`(select '${LARGE}'::uuid as t) large, generate_series(1, 50050)`);
    await placeJobs(kiln);
    await kiln.tenants.restore();
    for (const table of ['jobs', 'queued_jobs', 'waiting_tenants']) await kiln.sql(`analyze ${table}`);
  });
  after(() => kiln.close());

  const claim = (jobsMax: number) => (on: Queryable) => new ClaimStore(on, kiln.tenants, CLAIM_OPTIONS).turn(jobsMax);
  const complete = (finished: FinishedRun[]) => (on: Queryable) => new CompletionStore(on).complete(finished);

  /** The leaves that read `table` in the plan of the statement. */
  async function leavesOf(table: string, mode: string, use: (on: Queryable) => Promise<unknown>): Promise<PlanNode[]> {
    const { text, values } = await statementOf(use);
    return kiln.database.transaction(async (transaction) => {
      await transaction.query({ name: '', text: `set local plan_cache_mode = ${mode}` });
      const explain = { name: '', text: `explain (analyze, buffers, format json) ${text}` };
      const [row] = await transaction.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain, values);
      const plan = row?.['QUERY PLAN'][0]?.Plan;
      assert.ok(plan);
      const leaves = flatten(plan).filter((node) => node['Relation Name'] === table && !node.Plans);
      assert.ok(leaves.length > 0);
      return leaves;
    });
  }

  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    for (const jobsMax of [1, 100]) {
      it(`reads as many rows as it begins and ends, by index or by place (${jobsMax}, ${mode})`, async () => {
        const { jobs } = await kiln.claims.turn(jobsMax);
        const finished = jobs.map(finishedRun);
        const read = {
          queued_jobs: await leavesOf('queued_jobs', mode, claim(jobsMax)),
          jobs: [
            ...(await leavesOf('jobs', mode, claim(jobsMax))),
            ...(await leavesOf('jobs', mode, complete(finished))),
          ],
        };
        for (const node of Object.values(read).flat()) {
          assert.match(node['Node Type'], /^(Index|Tid) /, JSON.stringify(node));
          assert.ok(rowsRead(node) <= jobsMax, JSON.stringify(node));
        }
        const sums = Object.values(read).map((nodes) => nodes.reduce((sum, node) => sum + rowsRead(node), 0));
        assert.deepEqual(sums, [2 * jobsMax, 4 * jobsMax], 'found and changed');
      });
    }

    it(`takes a hundred jobs of the tenant with half of them just so (${mode})`, async () => {
      await kiln.sql(
        `update waiting_tenants set due_at = now() + (case when tenant_id = $1 then 0 else 600 end) * '1 s'::interval`,
        [LARGE],
      );
      for (const node of await leavesOf('queued_jobs', mode, claim(100))) {
        assert.match(node['Node Type'], /^(Index|Tid) /, JSON.stringify(node));
        assert.ok(rowsRead(node) <= 100, JSON.stringify(node));
      }
      await kiln.tenants.restore();
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
