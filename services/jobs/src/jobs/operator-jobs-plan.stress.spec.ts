// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QueryPlans } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { page, PAGE_ROWS } from './operator-jobs.store.js';

describe('the operator’s jobs', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterAll(() => kiln.close());

  it('are read a page at a time by an index, whatever the filter', async () => {
    const tenant = uuidv7();
    const plans = await QueryPlans.open(kiln.database);
    const valuesOf = (status: string) => [tenant, status, '-infinity', tenant, 0];
    await plans.plan(page, valuesOf('queued'));
    await kiln.addMany(tenant, 5_000);
    for (const status of ['queued', 'failed']) {
      await kiln.sql('update jobs set status = $1', [status]);
      const read = (await plans.reads(page, valuesOf(status))).get('jobs');
      expect(read).toStrictEqual({ rows: PAGE_ROWS, by: ['jobs_by_status'] });
    }
    await plans.close();
  });
});
