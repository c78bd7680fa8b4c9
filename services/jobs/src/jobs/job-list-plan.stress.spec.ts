// Real: Postgres with 100,000 jobs of one tenant among others'. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobStatuses } from '@kiln/contracts';
import { QueryPlans } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { listStatement } from './job-list.store.js';

const JOBS = 100_000;
const SLICE = 10_000;
const LIMIT = 51;

describe('a page of the list of jobs', () => {
  let kiln: JobsHarness;
  let plans: QueryPlans;
  const tenantId = uuidv7();
  const [fileId, batchId] = [uuidv7(), uuidv7()];
  beforeAll(async () => {
    kiln = await startJobs();
    for (let first = 1; first <= JOBS; first += SLICE) await addJobs(tenantId, first);
    await addJobs(uuidv7(), 1);
    await kiln.sql('vacuum analyze jobs');
    plans = await QueryPlans.open(kiln.database);
  });
  afterAll(async () => {
    await plans.close();
    await kiln.close();
  });

  const addJobs = (tenant: string, first: number) =>
    kiln.sql(
      `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing, status, worker_id, lease_expires_at, created_at, batch_id)
       select $1, gen_random_uuid(), case when n % 10000 = 7 then $4 else gen_random_uuid() end, case when n % 100 < 90 then 'big' else 'small-' || n % 7 end,
         'a.md', true, '{}', case when n % 1000 = 0 then 'failed' when n % 10000 = 1 then 'processing' when n % 500 = 1 then 'queued' else 'completed' end,
         case when n % 10000 = 1 then 'spec' end, case when n % 10000 = 1 then now() end,
         '2026-01-01'::timestamptz + n * interval '1 s', case when n % 50 = 3 then $5::uuid end
       from generate_series($2::int, $3::int) n`,
      [tenant, first, first + SLICE - 1, fileId, batchId],
    );

  const combinations = [undefined, 'big', 'small-3', 'none'].flatMap((space) =>
    [undefined, ...jobStatuses].flatMap((status) =>
      [undefined, ['2026-01-01T06:00:00Z', uuidv7()] as const].map((after) => ({ space, status, after })),
    ),
  );

  it('reads only the rows it returns, with and without space, status and cursor', async () => {
    const wasteful: object[] = [];
    for (const filter of combinations) {
      const { statement, values } = listStatement({ tenantId, ...filter, limit: LIMIT });
      await plans.plan(statement, values);
      const read = (await plans.reads(statement, values)).get('jobs');
      const index = filter.space === undefined ? 'jobs_by_status' : 'jobs_by_space';
      const isLean = read?.by.join() === index && read.rows <= LIMIT + jobStatuses.length;
      if (!isLean) wasteful.push({ filter, read });
    }
    expect(wasteful).toStrictEqual([]);
  });

  it('reads only the rows of a file, and of a page of a batch', async () => {
    const wasteful: object[] = [];
    for (const more of combinations.slice(0, 12).map(({ status, after }) => ({ status, after }))) {
      for (const [index, filter, rows] of [
        ['jobs_by_file', { fileId }, JOBS / SLICE],
        // Without a status, the page ends the scan.
        ['jobs_by_batch', { batchId }, more.status === undefined ? LIMIT : JOBS / 50],
      ] as const) {
        const { statement, values } = listStatement({ tenantId, ...filter, ...more, limit: LIMIT });
        await plans.plan(statement, values);
        const read = (await plans.reads(statement, values)).get('jobs');
        if (read?.by.join() !== index || read.rows > rows) wasteful.push({ filter, more, read });
      }
    }
    expect(wasteful).toStrictEqual([]);
  });
});
