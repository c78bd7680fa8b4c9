// Real: Postgres, without autovacuum, with a tenant of 10,000 jobs beside 5,000 tenants with one job each, and its statistics. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@kiln/platform';
import { blocksRead, withoutAutovacuum } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { openDatabase, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { JobEntity } from './job.entity.js';
import { JobStore } from './job.store.js';

/** The path through an index, and the row. All entries of the tenant are some hundreds. */
const BLOCKS_MAX = 12;

describe('the jobs of a large tenant beside many small ones', () => {
  const tenantId = uuidv7();
  let kiln: JobsHarness;
  let database: Database;
  let ids: string[];
  beforeAll(async () => {
    kiln = await startJobs();
    // One connection, so that no other reports what it has read before.
    database = await openDatabase(kiln.databaseUrl, 1);
    await withoutAutovacuum(database);
    const insert = (rows: string) =>
      database.query<{ id: string }>({
        name: '',
        text: `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing, status)
               select tenant, gen_random_uuid(), gen_random_uuid(), 'default', 'a.md', true, '{}', 'completed' from ${rows} returning id`,
      });
    await insert('(select gen_random_uuid() as tenant from generate_series(1, 5000)) small');
    ids = (await insert(`(select '${tenantId}'::uuid as tenant from generate_series(1, 10000)) large`)).map(
      ({ id }) => id,
    );
    await database.query({ name: '', text: 'vacuum analyze jobs' });
  });
  afterAll(async () => {
    await database.close();
    await kiln.close();
  });

  it('are looked up by their ids alone', async () => {
    const jobs = new JobStore(database, database.dataSource.getRepository(JobEntity));
    const [id = ''] = ids;
    const blocks = await blocksRead(database, async () => {
      expect(await jobs.states(tenantId, [id])).toHaveLength(1);
    });
    const ofJobs = [...blocks].filter(([source]) => source.startsWith('jobs'));
    expect(ofJobs.reduce((sum, [, read]) => sum + read, 0)).toBeLessThan(BLOCKS_MAX);
  });
});
