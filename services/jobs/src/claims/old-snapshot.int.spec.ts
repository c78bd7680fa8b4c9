// Real: Postgres. Faked: the time after which claims begin at the start.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { BATCH_WAIT_SECONDS, finishedRun, LANE, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { ClaimPositions } from './claim-positions.domain.js';
import { scannedBlocks } from '../test/scanned-blocks.js';
import { ClaimStore } from './claim.store.js';
import { pickTenants } from './pick-tenants.statement.js';
import { takeJobs } from './take-jobs.statement.js';

const JOBS = 600;
const HOUR_MS = 3_600_000;
/** From the start, a claim reads an entry, and looks at its row, for each job that has ended. */
const BLOCKS_MAX = 30;

describe('claims while a transaction keeps an old snapshot', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const clock = { milliseconds: 0 };
  const claimStore = (positions: ClaimPositions) =>
    new ClaimStore(kiln.database, kiln.tenants, {
      workerId: 'worker',
      lane: LANE,
      leaseSeconds: 20,
      batchWaitSeconds: BATCH_WAIT_SECONDS,
      positions,
    });
  const exactPositions = () => new ClaimPositions(() => clock.milliseconds, 0);

  /** Jobs that are due a second apart from each other. */
  const addJobs = async (tenantId: string) => {
    await kiln.addMany(tenantId, JOBS);
    await kiln.sql(
      `update jobs set due_at = now() - interval '1 hour' + numbered.n * interval '1 second'
       from (select id, row_number() over (order by id) as n from jobs where tenant_id = $1) numbered
       where jobs.tenant_id = $1 and jobs.id = numbered.id`,
      [tenantId],
    );
    await kiln.sql('vacuum jobs');
  };
  const claimOne = async (claims: ClaimStore) => {
    const { jobs } = await claims.claim(1);
    await kiln.completions.complete(jobs.map(finishedRun));
    return jobs;
  };
  const INDEXES = ['waiting_tenants_round_robin', 'jobs_due'];
  /** The blocks that a claim of the tenant reads to find it and its next job. */
  const blocksOf = async (tenantId: string, positions = exactPositions()) => {
    const { joined, served } = positions.ofTenants;
    const from = ([0, 1] as const).map((priority) => [positions.ofJobs(tenantId, priority)]);
    const take = [[tenantId], [1], LANE, 'worker', 20, BATCH_WAIT_SECONDS, [], [], ...from, [null]];
    const picked = await scannedBlocks(kiln, pickTenants, [1, LANE, [], joined, served], INDEXES);
    return picked + (await scannedBlocks(kiln, takeJobs, take, INDEXES));
  };
  async function withOldSnapshot(work: () => Promise<void>): Promise<void> {
    const keeper = await kiln.database.dedicatedClient();
    await keeper.query('begin isolation level repeatable read; set local idle_in_transaction_session_timeout = 0');
    await keeper.query('select 1 from jobs limit 1');
    try {
      await work();
    } finally {
      await keeper.end();
    }
  }

  it('read no entries of jobs that have ended and of former services', async () => {
    const tenantIds = [uuidv7(), uuidv7()];
    for (const tenantId of tenantIds) await addJobs(tenantId);
    await withOldSnapshot(async () => {
      const positions = exactPositions();
      const claims = claimStore(positions);
      for (let ended = 0; ended < JOBS; ended++) expect(await claimOne(claims)).toHaveLength(1);
      for (const tenantId of tenantIds) {
        expect(await blocksOf(tenantId, positions)).toBeLessThan(BLOCKS_MAX);
        expect(await blocksOf(tenantId)).toBeGreaterThan(5 * BLOCKS_MAX);
      }
    });
  });

  it('find each tenant that joins the queue', async () => {
    const claims = claimStore(exactPositions());
    for (let joined = 0; joined < 20; joined++) {
      const tenantId = uuidv7();
      await kiln.add(tenantId);
      expect(await claims.nextDueInMs([])).toBe(0);
      expect(await claimOne(claims)).toHaveLength(1);
      expect(await claims.removeIdle([tenantId])).toBe(true);
    }
  });

  it('find a job that appears before those that were claimed, after some seconds', async () => {
    const tenantId = uuidv7();
    await kiln.addMany(tenantId, 2);
    const claims = claimStore(exactPositions());
    expect(await claimOne(claims)).toHaveLength(1);
    await kiln.sql(`update jobs set due_at = now() - interval '1 hour' where status = 'queued'`);
    expect(await claimOne(claims)).toStrictEqual([]);
    clock.milliseconds += HOUR_MS;
    expect(await claimOne(claims)).toHaveLength(1);
  });

  it('find such a job at once when its tenant was about to leave the queue', async () => {
    const tenantId = uuidv7();
    await kiln.addMany(tenantId, 2);
    const claims = claimStore(exactPositions());
    expect(await claimOne(claims)).toHaveLength(1);
    await kiln.sql(`update jobs set due_at = now() - interval '1 hour' where status = 'queued'`);
    expect(await claimOne(claims)).toStrictEqual([]);
    expect(await claims.removeIdle([tenantId])).toBe(false);
    expect(await claimOne(claims)).toHaveLength(1);
  });
});
