// Real: Postgres, two connections of two workers. Faked: nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { JobChangeStore } from '../jobs/job-change.store.js';
import { PageReservationStore } from '../organization/pages/page-reservation.store.js';
import { leaseOf, openDatabase, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { RunQuota } from './run-quota.service.js';

const error = { code: 'quota_exceeded', message: 'x', retryable: true } as const;

describe('page reservations of runs under a plan with a hard limit', () => {
  let kiln: JobsHarness;
  let otherDatabase: JobsHarness['database'];
  let tenantId: string;
  beforeAll(async () => {
    kiln = await startJobs();
    otherDatabase = await openDatabase(kiln.databaseUrl);
  });
  beforeEach(async () => {
    tenantId = uuidv7();
    await kiln.clear();
  });
  afterAll(async () => {
    await otherDatabase.close();
    await kiln.close();
  });

  const quotaOf = (worker: number) => {
    const database = worker % 2 ? kiln.database : otherDatabase;
    return new RunQuota(database, new PageReservationStore(database));
  };
  const reserve = (jobId: string, pagesLimit: number) =>
    new PageReservationStore(kiln.database).reserve(kiln.database, {
      liveTenantId: tenantId,
      jobs: [{ jobId, hundredths: 100 }],
      pagesLimit,
    });
  /** A job with one page reserved for it, under a limit of 10. */
  const accepted = async () => {
    const jobId = await kiln.add(tenantId);
    await reserve(jobId, 10);
    return jobId;
  };
  /** Pages of each job. */
  const held = async () =>
    (
      await kiln.sql<{ pages: number }>(
        'select (hundredths / 100)::int as pages from page_reservations where tenant_id = $1 order by 1',
        [tenantId],
      )
    ).map(({ pages }) => pages);

  it('runs reserve all their pages or fail: used and reserved pages never exceed the limit', async () => {
    const jobIds = [await accepted(), await accepted(), await accepted(), await accepted()];
    const hold = (jobId: string, count: number, at: number) =>
      quotaOf(at).hold({ tenantId, jobId, fence: 1 }, count * 100);
    const answers = await Promise.allSettled(jobIds.map((jobId, at) => hold(jobId, 5, at)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await held()).toStrictEqual([1, 1, 1, 5]);
    const [refusal] = answers.filter((answer) => answer.status === 'rejected');
    expect(String(refusal?.reason)).toMatch(
      /has 5 pages.*limit of 10 pages a month 0 are used and [78] reserved.*Retry the job/,
    );
    const holder = jobIds.find((_jobId, at) => answers[at]?.status === 'fulfilled') ?? '';
    await hold(holder, 3, 0);
    // Less than was held is given back.
    expect(await held()).toStrictEqual([1, 1, 1, 3]);
    await hold(jobIds.find((jobId) => jobId !== holder) ?? '', 5, 1);
    expect(await held()).toStrictEqual([1, 1, 3, 5]);
    await quotaOf(0).hold({ tenantId, jobId: uuidv7(), fence: 1 }, 1_000_000);
  });

  it('a refused job runs after an upgrade, under the new limit or without one', async () => {
    const refused = async (jobId: string) => {
      await expect(quotaOf(0).hold({ tenantId, jobId, fence: 1 }, 2_000)).rejects.toMatchObject({
        code: 'quota_exceeded',
      });
      const { job } = await kiln.claimed();
      await kiln.database.transaction((transaction) => kiln.leases.fail(transaction, leaseOf(job), error));
    };
    const retry = (jobId: string) =>
      kiln.database.transaction((transaction) =>
        new JobChangeStore().retry(
          transaction,
          { tenantId, jobId },
          { contentType: 'text/markdown', provider: null, lane: 'sandbox' },
        ),
      );
    const larger = await accepted();
    await refused(larger);
    await reserve(larger, 50);
    await retry(larger);
    await quotaOf(0).hold({ tenantId, jobId: larger, fence: 2 }, 2_000);
    expect((await kiln.claimed()).job.is_limited).toBe(true);
    await kiln.sql('update page_reservations set hundredths = 100');
    const unlimited = await accepted();
    await refused(unlimited);
    await retry(unlimited);
    expect((await kiln.claimed()).job.is_limited).toBe(false);
    await quotaOf(0).hold({ tenantId, jobId: unlimited, fence: 2 }, 2_000);
  });
});
