// Real: the service as its own process (API role), Postgres, NATS. Faked: the passing of time, by jobs that were created and ended in the past.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startTestService } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { retentionOf } from '../test/retention-harness.js';

const DAYS = 20;

describe('a process of the API role', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterAll(() => kiln.close());

  it('deletes the jobs that have been superseded for longer than its setting, from the oldest to the last', async () => {
    const { add, jobs } = retentionOf(kiln);
    const tenantId = uuidv7();
    const addPair = async (ended: number) => {
      const file = { tenantId, fileId: uuidv7(), ended };
      return [await add({ ...file, created: ended + 2 }), await add({ ...file, created: ended + 1 })] as const;
    };
    const [, firstKept] = await addPair(150);
    const [, lastKept] = await addPair(DAYS + 1);
    const recent = await addPair(DAYS - 1);
    const environment = { KILN_JOBS_RETENTION_DAYS: String(DAYS) };
    const service = await startTestService({ name: 'jobs', databaseUrl: kiln.databaseUrl, environment });
    try {
      const reached = `select 1 from job_retention where examined_until > now() - interval '${DAYS} days 1 minute'`;
      await eventually(async () => expect(await kiln.sql(reached)).toHaveLength(1));
      expect(await jobs()).toStrictEqual([firstKept, lastKept, ...recent].toSorted());
    } finally {
      await service.stop();
    }
  });
});
