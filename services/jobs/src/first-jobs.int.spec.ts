// Real: Postgres of a new installation, without autovacuum. Faked: the run.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blocksRead, withoutAutovacuum } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { finishedRun, jobRequest, startJobs, type JobsHarness } from './test/jobs-harness.js';
import { MissingJobStore } from './requests/missing-job.store.js';

const TENANT = '00000000-0000-7000-8000-000000000001';
const OTHER_JOBS = 20_000;
const JOBS_AT_ONCE = 3;
/** Postgres may keep the plan of a statement from its sixth use. */
const FIRST_ROUNDS = 8;
const ROUNDS = 10;
/** Of the table, or of one of its indexes. An index of the 20,000 has more than 100. */
const BLOCKS_PER_JOB_MAX = 50;

describe('a connection that was opened before there were jobs', () => {
  let kiln: JobsHarness;
  let unmet: MissingJobStore;
  beforeAll(async () => {
    kiln = await startJobs();
    unmet = new MissingJobStore(kiln.database);
    await withoutAutovacuum(kiln.database);
  });
  afterAll(() => kiln.close());

  /** Each request comes twice, by a call and by an event, and once before its bytes have arrived. */
  async function runJobs(): Promise<void> {
    const requests = Array.from({ length: JOBS_AT_ONCE }, () => jobRequest(uuidv7()));
    const routed = requests.map((request) => ({ request, provider: 'document_extractor' }));
    const early = routed.map(({ request, provider }) => ({ request: { ...request, ready: false }, provider }));
    for (const batch of [early, routed])
      await kiln.database.transaction((transaction) => kiln.jobBatches.upsert(transaction, TENANT, batch));
    expect(await unmet.unmet(TENANT, requests)).toStrictEqual(new Set());
    const claimed = [];
    for (let job = await kiln.claimNext(); job; job = await kiln.claimNext()) claimed.push(job);
    expect(claimed).toHaveLength(JOBS_AT_ONCE);
    await kiln.completions.complete(claimed.map(finishedRun));
  }

  it('reads a bounded number of blocks of the table of jobs for each job once many have come, whatever plans it had', async () => {
    for (let round = 0; round < FIRST_ROUNDS; round++) await runJobs();
    await kiln.sql(
      `insert into jobs (tenant_id, id, file_id, space, filename, ready, processing, status)
       select $1, gen_random_uuid(), gen_random_uuid(), 'default', 'a.md', true, '{}', 'completed' from generate_series(1, $2)`,
      [TENANT, OTHER_JOBS],
    );
    const blocks = await blocksRead(kiln.database, async () => {
      for (let round = 0; round < ROUNDS; round++) await runJobs();
    });
    const jobs = ROUNDS * JOBS_AT_ONCE;
    const ofJobs = [...blocks].filter(([source]) => /^jobs(_|$)/.test(source));
    expect(ofJobs.filter(([, read]) => read > BLOCKS_PER_JOB_MAX * jobs)).toStrictEqual([]);
    expect(blocks.get('jobs_pkey')).toBeGreaterThanOrEqual(jobs);
  });
});
