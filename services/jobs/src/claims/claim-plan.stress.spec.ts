// Real: Postgres with 100,000 queued jobs of 1,000 tenants, half of them one tenant's, and as many completed. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outboxRow, type Statement } from '@kiln/platform';
import { QueryPlans } from '@kiln/testing';
import { completedEvent, LANE, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { pickTenants, type TenantShare } from './pick-tenants.statement.js';
import { takeJobs } from './take-jobs.statement.js';
import { completeMany } from '../leases/complete.statement.js';
import { extend } from '../leases/extend.statement.js';
import type { ClaimedJob } from '../jobs/job.rows.js';
import { reclaim } from '../leases/reclaim.statement.js';
import { report } from '../leases/report.statement.js';

const LARGE = '00000000-0000-7000-8000-000000000001';
const RUNS = 100;
const NO_RUNS = [[], [], []];
const FROM_START = ['-infinity', '-infinity'];

const takeValues = (
  picked: readonly (Pick<TenantShare, 'tenant_id' | 'share'> & Partial<TenantShare>)[],
  providers: [string[], number[]] = [[], []],
) => [
  picked.map(({ tenant_id }) => tenant_id),
  picked.map(({ share }) => share),
  LANE,
  'worker',
  20,
  600,
  ...providers,
  [],
  [],
  picked.map(({ row }) => row ?? null),
];
const reclaimValues = (jobsMax: number) => [jobsMax, 10, {}, {}];
const runsOf = (jobs: readonly ClaimedJob[]) => [
  jobs.map(({ tenant_id }) => tenant_id),
  jobs.map(({ id }) => id),
  jobs.map(({ fence }) => fence),
];
function completeValues(jobs: readonly ClaimedJob[]) {
  const events = jobs.map((job) => outboxRow(completedEvent(job)));
  const columns = [events.map(({ id }) => id), events.map(({ type }) => type), events.map(({ envelope }) => envelope)];
  return [...runsOf(jobs), ...columns, jobs.map(() => null)];
}

for (const analyzed of [false, true]) {
  const title = analyzed ? 'with statistics' : 'that came by a mass insert, by the plans that were made without them';
  describe(`among 100,000 queued jobs of 1,000 tenants ${title}`, () => {
    let kiln: JobsHarness;
    let plans: QueryPlans;
    let running: ClaimedJob[];
    beforeAll(async () => {
      kiln = await startJobs();
      plans = await QueryPlans.open(kiln.database);
      const plan = async () => {
        await plans.plan(pickTenants, [1, LANE, [], ...FROM_START]);
        await plans.plan(takeJobs, takeValues([]));
        await plans.plan(completeMany, [...NO_RUNS, [], [], [], []]);
        await plans.plan(extend, [...NO_RUNS, 20]);
        await plans.plan(report, [...NO_RUNS, []]);
        await plans.plan(reclaim, reclaimValues(1));
      };
      if (!analyzed) await plan();
      const insert = (rows: string, status = 'queued') =>
        kiln.sql(`insert into jobs (tenant_id, id, file_id, space, filename, ready, processing, status)
                  select t, gen_random_uuid(), gen_random_uuid(), 'default', 'a.md', true, '{}', '${status}' from ${rows}`);
      const tenants = `(select overlay(md5(n::text) placing '7' from 13 for 1)::uuid as t from generate_series(1, 999) n) tenants`;
      await insert(`${tenants}, generate_series(1, 100)`, 'completed');
      await insert(`${tenants}, generate_series(1, 50)`);
      await insert(`(select '${LARGE}'::uuid as t) large, generate_series(1, 50050)`);
      await kiln.tenants.restore();
      if (analyzed) {
        await kiln.sql('vacuum analyze jobs, waiting_tenants');
        await plan();
      }
      running = (await kiln.claims.claim(RUNS)).jobs;
    });
    afterAll(async () => {
      await plans.close();
      await kiln.close();
    });

    /** By these indexes alone, and no more rows of jobs than these. */
    async function reads(statement: Statement, values: readonly unknown[], rowsMax: number, indexes: string[]) {
      const read = (await plans.reads(statement, values)).get('jobs');
      if (!read) throw new Error('no read');
      expect(read.by.toSorted()).toStrictEqual(indexes);
      expect(read.rows).toBeLessThanOrEqual(rowsMax);
    }

    const pick = (jobsMax: number) => kiln.database.query<TenantShare>(pickTenants, [jobsMax, LANE, [], ...FROM_START]);

    for (const jobsMax of [1, RUNS]) {
      it(`a claim of ${jobsMax} finds each job by the index of due jobs, and once more to update it`, async () => {
        const picked = (await plans.reads(pickTenants, [jobsMax, LANE, [], ...FROM_START])).get('waiting_tenants');
        expect(picked?.by).toStrictEqual(['waiting_tenants_round_robin']);
        // Of each tenant that is asked, the first job; of each of its rows one is found, one locked.
        await reads(takeJobs, takeValues(await pick(jobsMax)), 2 * jobsMax, ['jobs_due', 'jobs_pkey']);
      });
    }

    it('a claim of 100 of the tenant with half of all jobs reads no more', async () => {
      const values = takeValues([{ tenant_id: LARGE, share: RUNS }]);
      await reads(takeJobs, values, 2 * RUNS, ['jobs_due', 'jobs_pkey']);
    });

    it('a claim that meets a full provider looks at 200 jobs of a tenant, however many wait', async () => {
      await kiln.sql(`update jobs set provider = 'audio_extractor' where tenant_id = $1`, [LARGE]);
      const values = takeValues([{ tenant_id: LARGE, share: RUNS }], [['audio_extractor'], [0]]);
      await reads(takeJobs, values, 401, ['jobs_due', 'jobs_pkey']);
    });

    it('statements that end, renew and report runs find their jobs by id', async () => {
      await reads(completeMany, completeValues(running), 2 * RUNS, ['jobs_pkey']);
      await reads(extend, [...runsOf(running), 20], 3 * RUNS, ['jobs_pkey']);
      await reads(report, [...runsOf(running), running.map(() => null)], 2 * RUNS, ['jobs_pkey']);
    });

    it('a reclaim finds the expired leases by their index', async () => {
      await reads(reclaim, reclaimValues(RUNS), 0, ['jobs_leased', 'jobs_pkey']);
      await kiln.loseLeases(running[0]?.id);
      await reads(reclaim, reclaimValues(RUNS), 2, ['jobs_leased', 'jobs_pkey']);
    });
  });
}
