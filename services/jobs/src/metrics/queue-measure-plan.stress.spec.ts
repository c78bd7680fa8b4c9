// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QueryPlans } from '@kiln/testing';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { countEnded, measureQueue, QueueMeasureStore } from './queue-measure.store.js';

const options = { intervalSeconds: 10, countedMax: 100, commitSeconds: 0 };

describe('the measure of 25,000 queued jobs of 2,500 tenants, beside 25,000 that have ended', () => {
  const SLICES = 5;
  const SLICE = 5_000;
  const TENANTS = 2_500;
  const PROCESSING = 50;
  const ENDED_NOW = 200;

  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterAll(() => kiln.close());

  const tenantsOf = (count: number) => `
    select overlay(gen_random_uuid()::text placing '7' from 15 for 1)::uuid as t from generate_series(1, ${count})`;

  it('reads the rows that it counts, two for each tenant with work, and the recently ended ones', async () => {
    const plans = await QueryPlans.open(kiln.database);
    await plans.plan(measureQueue, [options.countedMax]);
    await plans.plan(countEnded, [0, 3_600]);
    const insert = (status: string, rows: string) =>
      kiln.sql(`insert into jobs (tenant_id, id, file_id, space, filename, ready, processing, provider, status,
                  worker_id, lease_expires_at)
                select t, gen_random_uuid(), gen_random_uuid(), 'default', 'a.md', true, '{}', 'document_extractor',
                  '${status}', case '${status}' when 'processing' then 'spec' end, case '${status}' when 'processing' then now() end from ${rows}`);
    for (let slice = 0; slice < SLICES; slice++) {
      await insert('queued', `(${tenantsOf(TENANTS / SLICES)}) x, generate_series(1, ${SLICE / (TENANTS / SLICES)})`);
      await insert('completed', `(${tenantsOf(SLICE)}) x`);
    }
    await insert('processing', `(${tenantsOf(PROCESSING)}) x`);
    await kiln.sql(`update jobs set completed_at = now() - age.seconds * interval '1 s' from (
                      select tenant_id, id, row_number() over (order by ctid desc) as seconds from jobs where status = 'completed') age
                    where jobs.tenant_id = age.tenant_id and jobs.id = age.id`);
    await kiln.tenants.restore();
    await kiln.sql('vacuum jobs, waiting_tenants');
    await kiln.sql(`update queue_measures set counted_until = now() - interval '${ENDED_NOW} seconds'`);
    const queue = (await plans.reads(measureQueue, [options.countedMax])).get('jobs');
    expect(queue?.by.toSorted()).toStrictEqual(['jobs_due', 'jobs_leased']);
    expect(queue?.rows).toBeLessThanOrEqual(options.countedMax + 2 * TENANTS + PROCESSING);
    const ended = (await plans.reads(countEnded, [0, 3_600])).get('jobs');
    expect(ended?.by.toSorted()).toStrictEqual(['jobs_by_end', 'jobs_pkey']);
    expect(ended?.rows).toBeLessThan(10_000);
    const measures = new QueueMeasureStore(kiln.database, options);
    expect(await measures.measure()).toBe(true);
    expect((await measures.read())?.queued.map(({ jobs }) => jobs)).toContain(options.countedMax);
    await plans.close();
  });
});
