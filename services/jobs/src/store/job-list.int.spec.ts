// Real: Postgres with 100,000 jobs of one tenant among others'. Faked: nothing.
import { jobStatuses } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { placeJobs } from '../test/place-jobs.js';
import { listStatement, type JobListQuery } from './job-list.store.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const JOBS = 100_000;
const SLICE = 10_000;
const LIMIT = 51;
const RUNNING = 10;

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('a page of the list of jobs', () => {
  let kiln: JobsHarness;
  const tenantId = uuidv7();
  before(async () => {
    kiln = await startJobs();
    for (let first = 1; first <= JOBS; first += SLICE) await addJobs(tenantId, first);
    await addJobs(uuidv7(), 1);
    await placeJobs(kiln);
    for (const table of ['jobs', 'queued_jobs', 'worker_leases', 'ended_jobs'])
      await kiln.sql(`vacuum analyze ${table}`);
  });
  after(() => kiln.close());

  const addJobs = (tenant: string, first: number) =>
    kiln.sql(
      `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing, status, created_at)
       select $1, gen_random_uuid(), gen_random_uuid(), case when n % 100 < 90 then 'big' else 'small-' || n % 7 end,
         'a.md', true, '{}', case when n % 1000 = 0 then 'failed' when n % 10000 = 1 then 'processing' when n % 500 = 1 then 'queued' else 'completed' end,
         '2026-01-01'::timestamptz + n * interval '1 s'
       from generate_series($2::int, $3::int) n`,
      [tenant, first, first + SLICE - 1],
    );

  /** What the plan does that serves all values. */
  const explain = (query: JobListQuery): Promise<PlanNode[]> =>
    kiln.database.transaction(async (transaction) => {
      const { statement, values } = listStatement(query);
      const run = (text: string) => transaction.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>({ name: '', text });
      await run('set local plan_cache_mode = force_generic_plan');
      await run(`prepare listed as ${statement.text}`);
      const literals = values.map((value) => `'${String(value)}'`);
      const [row] = await run(`explain (analyze, format json) execute listed (${literals.join()})`);
      await run('deallocate listed');
      const plan = row?.['QUERY PLAN'][0]?.Plan;
      assert.ok(plan);
      return nodesOf(plan);
    });

  it('reads only the rows it shows, with and without space, status and cursor', async () => {
    for (const space of [undefined, 'big', 'small-3', 'none'])
      for (const status of [undefined, ...jobStatuses])
        for (const after of [undefined, ['2026-01-01T06:00:00Z', uuidv7()] as const]) {
          const nodes = await explain({ tenantId, space, status, after, limit: LIMIT });
          // Of the jobs that run, all are read.
          const kinds = nodes
            .filter((node) => node['Relation Name'] !== 'worker_leases')
            .map((node) => node['Node Type']);
          const title = JSON.stringify({ space, status, after, kinds });
          for (const kind of ['Seq Scan', 'Incremental Sort']) assert.ok(!kinds.includes(kind), title);
          for (const node of nodes) {
            if (node['Node Type'] === 'Sort') assert.ok(node['Actual Rows'] <= RUNNING, title);
          }
          const read = (pattern: RegExp) =>
            nodes
              .filter((node) => pattern.test(node['Relation Name'] ?? ''))
              .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
              .reduce((sum, rows) => sum + rows, 0);
          // What a filter removes is told as an average, rounded up.
          assert.ok(read(/^jobs$/) <= LIMIT + 2 * RUNNING, `${read(/^jobs$/)} rows: ${title}`);
          const places = read(/^(queued|ended)_jobs$/);
          assert.ok(places <= LIMIT + jobStatuses.length, `${places} places: ${title}`);
        }
  });
});
