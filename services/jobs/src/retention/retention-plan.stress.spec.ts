// Real: Postgres, whose plan depends on its statistics. Faked: the passing of time, by jobs that ended in the past.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { QueryPlans } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { deleteSuperseded } from './retention.statements.js';

const BATCH = 100;

const tenantId = uuidv7();
let kiln: JobsHarness;
beforeAll(async () => {
  kiln = await startJobs();
});
afterAll(() => kiln.close());

it('a batch of retention reads the jobs of its window by index, however many have ended before and after it', async () => {
  const ROWS = 40_000;
  const plans = await QueryPlans.open(kiln.database);
  const valuesOf = (from: Date, until: Date) => [from, tenantId, tenantId, until, BATCH, BATCH];
  await plans.plan(deleteSuperseded, valuesOf(new Date(0), new Date()));
  // One a minute. Every tenth is a second job of its file.
  await kiln.sql(
    `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing, status, created_at, completed_at)
     select $1, gen_random_uuid(), md5((n - n % 10 / 9)::text)::uuid, 'default', 'a.md', true, '{}', 'completed', t, t
     from generate_series(1, ${ROWS}) n, lateral (select now() - interval '40 days' + n * interval '1 minute' as t) at order by n`,
    [tenantId],
  );
  await kiln.sql('vacuum analyze jobs');
  const from = new Date(Date.now() - 20 * 86_400_000);
  const until = new Date(from.getTime() + BATCH * 60_000);
  const read = (await plans.reads(deleteSuperseded, valuesOf(from, until))).get('jobs');
  expect(read?.by.toSorted()).toStrictEqual(['jobs_by_end', 'jobs_by_file', 'jobs_pkey']);
  expect(read?.rows).toBeLessThan(1_000);
  await plans.close();
});
