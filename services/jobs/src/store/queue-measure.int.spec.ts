// Real: Postgres. Faked: nothing.
import { testTenantOf } from '@kiln/contracts';
import { type Statement } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { leaseOf, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { placeJobs } from '../test/place-jobs.js';
import { countEnded, measureQueue, QueueMeasureStore, type QueueMeasure } from './queue-measure.store.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

const options = { intervalSeconds: 10, countedMax: 100, settleSeconds: 0 };
const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

describe('the measure of the queue', () => {
  let kiln: JobsHarness;
  let measures: QueueMeasureStore;
  before(async () => {
    kiln = await startJobs();
    measures = new QueueMeasureStore(kiln.database, options);
  });
  afterEach(async () => {
    await kiln.clear();
    await kiln.sql('truncate run_totals');
    await kiln.sql(`update queue_measure set measured_at = '-infinity', counted_until = now()`);
  });
  after(() => kiln.close());

  const later = () => kiln.sql(`update queue_measure set measured_at = now() - interval '10 seconds'`);
  async function measured() {
    await later();
    assert.equal(await measures.measure(), true);
    const measure = await measures.read();
    assert.ok(measure);
    return measure;
  }
  const largest = ({ queued }: QueueMeasure) => Math.max(...queued.map(({ jobs }) => jobs));
  const complete = async () => {
    const { lease } = await kiln.claimed();
    await kiln.database.transaction((transaction) => kiln.leases.complete(transaction, lease));
  };

  it('shows what is due by class of tenant, and for how long; not what waits for its bytes or its time', async () => {
    const live = uuidv7();
    const test = testTenantOf(live);
    await kiln.addMany(live, 3);
    await kiln.addMany(test, 2);
    await kiln.add(live, { ready: false });
    await kiln.sql(
      `update queued_jobs set run_after = now() - interval '90 seconds'
                    where id = (select id from queued_jobs where tenant_id = $1 and ready limit 1)`,
      [live],
    );
    await kiln.sql(
      `update queued_jobs set run_after = now() + interval '1 hour'
                    where id = (select id from queued_jobs where tenant_id = $1 limit 1)`,
      [test],
    );
    const { queued, age_seconds: age } = await measured();
    const of = (wanted: string) => queued.find(({ tenant_class: found }) => found === wanted);
    assert.deepEqual([of('live')?.jobs, of('test')?.jobs], [3, 1]);
    assert.equal(Math.floor((of('live')?.oldest_seconds ?? 0) / 60), 1);
    assert.ok((of('test')?.oldest_seconds ?? 90) < 90);
    assert.ok(age >= 0);
  });

  it('shows what runs and counts each run that has ended once, by provider and outcome', async () => {
    const tenant = uuidv7();
    for (let index = 0; index < 4; index++) await kiln.add(tenant);
    await complete();
    const { job } = await kiln.claimed();
    await kiln.leases.cancel(kiln.database, leaseOf(job));
    await kiln.claimed();
    const labels = { tenant_class: 'live', provider: 'document_extractor' };
    const ended = (completed: number) => [
      { ...labels, outcome: 'cancelled', runs: 1 },
      { ...labels, outcome: 'completed', runs: completed },
    ];
    const byOutcome = (rows: { outcome: string }[]) => rows.toSorted((a, b) => a.outcome.localeCompare(b.outcome));
    const first = await measured();
    assert.deepEqual(first.processing, [{ ...labels, jobs: 1 }]);
    assert.deepEqual(byOutcome(first.ended), ended(1));
    assert.deepEqual(byOutcome((await measured()).ended), ended(1));
    await complete();
    assert.deepEqual(byOutcome((await measured()).ended), ended(2));
  });

  it('shows zero for both classes when nothing is queued any more', async () => {
    await kiln.add(uuidv7());
    const jobs = async () =>
      Object.fromEntries((await measured()).queued.map(({ tenant_class, jobs }) => [tenant_class, jobs]));
    assert.deepEqual(await jobs(), { live: 1, test: 0 });
    await complete();
    assert.deepEqual(await jobs(), { live: 0, test: 0 });
  });

  it('counts no further than its limit', async () => {
    await kiln.addMany(uuidv7(), 150);
    assert.equal(largest(await measured()), 100);
  });

  it('is taken by one of many processes, and not again within the interval', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => measures.measure()));
    assert.equal(answers.filter(Boolean).length, 1);
    assert.equal(await measures.measure(), false);
    await later();
    assert.equal(await measures.measure(), true);
  });

  describe('of 25,000 queued jobs of 2,500 tenants, beside 25,000 that have ended', () => {
    const SLICES = 5;
    const SLICE = 5_000;
    const TENANTS = 2_500;
    const PROCESSING = 50;
    const ENDED_NOW = 200;

    const tenantsOf = (count: number) => `
      select overlay(gen_random_uuid()::text placing '7' from 15 for 1)::uuid as t from generate_series(1, ${count})`;

    async function planOf({ text }: Statement, values: unknown[], mode: string): Promise<PlanNode[]> {
      return kiln.database.transaction(async (transaction) => {
        await transaction.query({ name: '', text: `set local plan_cache_mode = ${mode}` });
        const explain = { name: '', text: `explain (analyze, format json) ${text}` };
        const [row] = await transaction.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain, values);
        const plan = row?.['QUERY PLAN'][0]?.Plan;
        assert.ok(plan);
        return flatten(plan);
      });
    }
    const rowsRead = (nodes: PlanNode[]) =>
      nodes.reduce((sum, node) => {
        const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
        return sum + (rows + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops'];
      }, 0);
    const leaves = (nodes: PlanNode[], table: string) =>
      nodes.filter((node) => node['Relation Name'] === table && node['Node Type'] !== 'ModifyTable');

    it('reads as many rows as it counts, two for each tenant with work, and those that have just ended', async () => {
      const insert = (status: string, rows: string) =>
        kiln.sql(`insert into jobs (tenant_id, id, file_id, space, filename, ready, processing, provider, status)
                  select t, gen_random_uuid(), gen_random_uuid(), 'default', 'a.md', true, '{}', 'document_extractor',
                    '${status}' from ${rows}`);
      for (let slice = 0; slice < SLICES; slice++) {
        await insert('queued', `(${tenantsOf(TENANTS / SLICES)}) x, generate_series(1, ${SLICE / (TENANTS / SLICES)})`);
        await insert('completed', `(${tenantsOf(SLICE)}) x`);
      }
      await insert('processing', `(${tenantsOf(PROCESSING)}) x`);
      await placeJobs(kiln);
      const ages = `(${SLICES * SLICE} - row_number() over ()) * interval '1 s'`;
      await kiln.sql('truncate ended_jobs');
      await kiln.sql(`insert into ended_jobs (tenant_id, status, created_at, id, space, ended_at)
                      select tenant_id, status, created_at, id, space, now() - ${ages}
                      from jobs where status = 'completed' order by 6`);
      await kiln.tenants.restore();
      for (const table of ['jobs', 'queued_jobs', 'worker_leases', 'ended_jobs', 'waiting_tenants']) {
        await kiln.sql(`vacuum analyze ${table}`);
      }
      await kiln.sql(`update queue_measure set counted_until = now() - interval '${ENDED_NOW} seconds'`);
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        const queue = leaves(await planOf(measureQueue, [options.countedMax], mode), 'queued_jobs');
        for (const node of queue) assert.match(node['Node Type'], /Index|Bitmap/);
        assert.ok(rowsRead(queue) <= options.countedMax + 2 * TENANTS, JSON.stringify(queue));
      }
      const ended = await planOf(countEnded, [0, 3_600], 'force_custom_plan');
      const [runs, jobs] = [leaves(ended, 'ended_jobs'), leaves(ended, 'jobs')];
      for (const node of [...runs, ...jobs]) assert.match(node['Node Type'], /Index|Bitmap/, JSON.stringify(node));
      assert.ok(rowsRead(runs) < 10_000, 'some blocks');
      assert.ok(rowsRead(jobs) <= 2 * ENDED_NOW);
      assert.equal(largest(await measured()), options.countedMax);
    });
  });
});
