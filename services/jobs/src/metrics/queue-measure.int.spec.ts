// Real: Postgres. Faked: nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { testTenantOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { finishedRun, leaseOf, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { QueueMeasureStore, type QueueMeasure } from './queue-measure.store.js';

const options = { intervalSeconds: 3_600, countedMax: 100, commitSeconds: 0 };

describe('the measure of the queue', () => {
  let kiln: JobsHarness;
  let measures: QueueMeasureStore;
  beforeAll(async () => {
    kiln = await startJobs();
    measures = new QueueMeasureStore(kiln.database, options);
  });
  afterEach(async () => {
    await kiln.clear();
    await kiln.sql('truncate run_totals');
    await kiln.sql(`update queue_measures set measured_at = '-infinity', counted_until = now()`);
  });
  afterAll(() => kiln.close());

  const later = () => kiln.sql(`update queue_measures set measured_at = now() - interval '1 hour'`);
  async function measured() {
    await later();
    expect(await measures.measure()).toBe(true);
    const measure = await measures.read();
    if (!measure) throw new Error('no measure');
    return measure;
  }
  const largest = ({ queued }: QueueMeasure) => Math.max(...queued.map(({ jobs }) => jobs));
  const complete = async () => {
    const { job } = await kiln.claimed();
    await kiln.completions.completeOne(finishedRun(job));
  };

  it('shows due jobs and their age by class of tenant, without jobs that wait for their bytes or a later time', async () => {
    const live = uuidv7();
    const test = testTenantOf(live);
    await kiln.addMany(live, 3);
    await kiln.addMany(test, 2);
    await kiln.add(live, { ready: false });
    await kiln.sql(
      `update jobs set due_at = now() - interval '90 seconds'
                    where id = (select id from jobs where tenant_id = $1 and ready limit 1)`,
      [live],
    );
    await kiln.sql(
      `update jobs set due_at = now() + interval '1 hour'
                    where id = (select id from jobs where tenant_id = $1 limit 1)`,
      [test],
    );
    const { queued, age_seconds: age } = await measured();
    const of = (wanted: string) => queued.find(({ tenant_class: found }) => found === wanted);
    expect([of('live')?.jobs, of('test')?.jobs]).toStrictEqual([3, 1]);
    expect(of('live')?.oldest_seconds).toBeGreaterThanOrEqual(90);
    expect(of('test')?.oldest_seconds ?? 90).toBeLessThan(90);
    expect(age).toBeGreaterThanOrEqual(0);
  });

  it('shows running jobs, and counts each ended run once, by provider and outcome', async () => {
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
    expect(first.processing).toStrictEqual([{ ...labels, jobs: 1 }]);
    expect(byOutcome(first.ended)).toStrictEqual(ended(1));
    expect(byOutcome((await measured()).ended)).toStrictEqual(ended(1));
    await complete();
    expect(byOutcome((await measured()).ended)).toStrictEqual(ended(2));
  });

  it('shows zero for both classes when nothing is queued any more', async () => {
    await kiln.add(uuidv7());
    const jobs = async () =>
      Object.fromEntries((await measured()).queued.map(({ tenant_class, jobs }) => [tenant_class, jobs]));
    expect(await jobs()).toStrictEqual({ live: 1, test: 0 });
    await complete();
    expect(await jobs()).toStrictEqual({ live: 0, test: 0 });
  });

  it('counts due jobs up to its limit', async () => {
    await kiln.addMany(uuidv7(), 150);
    expect(largest(await measured())).toBe(100);
  });

  it('shows the depth of the queue also when ended runs cannot be counted, which then follow in smaller parts', async () => {
    await kiln.addMany(uuidv7(), 3);
    await complete();
    await kiln.sql('alter table run_totals rename to run_totals_away');
    await later();
    await expect(measures.measure()).rejects.toThrow(/run_totals/);
    await kiln.sql('alter table run_totals_away rename to run_totals');
    expect(largest(await measured())).toBe(2);
    const { ended } = await measured();
    expect(ended.reduce((sum, { runs }) => sum + runs, 0)).toBe(1);
  });

  it('is taken by one process at a time, and once in an interval', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => measures.measure()));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await measures.measure()).toBe(false);
    await later();
    expect(await measures.measure()).toBe(true);
  });
});
