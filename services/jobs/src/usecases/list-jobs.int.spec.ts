// Real: Postgres. Faked: the times at which jobs were made.
import { CodedError, encodeId, type CallContext } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { JobListStore } from '../store/job-list.store.js';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { placeJobs } from '../test/place-jobs.js';
import { ListJobs } from './list-jobs.usecase.js';

const tenantId = uuidv7();
const context = (tenant = tenantId): CallContext => ({
  requestId: 'test',
  tenantId: tenant,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 10_000,
});

describe('the list of jobs', () => {
  let kiln: JobsHarness;
  let listJobs: ListJobs;
  before(async () => {
    kiln = await startJobs();
    listJobs = new ListJobs(new JobListStore(kiln.database));
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  type Query = Parameters<ListJobs['execute']>[0];
  const page = (query: Partial<Query>, tenant?: string) => listJobs.execute({ limit: 2, ...query }, context(tenant));

  /** Every id that the list shows, page by page; `between` runs after each page. */
  async function walk(query: Partial<Query>, between = async () => {}): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { jobs, next_cursor: next } = await page({ ...query, cursor });
      ids.push(...jobs.map(({ id }) => id));
      if (next === null) return ids;
      cursor = next;
      await between();
    }
  }

  it('shows the newest first and each once, also when all were made in one moment and others come and go', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push(await kiln.add(tenantId));
    for (const table of ['jobs', 'queued_jobs']) {
      await kiln.sql(`update ${table} set created_at = '2026-01-02 03:04:05.678'`);
    }
    const newest = ids.toReversed().map((id) => encodeId('job', id));
    await kiln.add(uuidv7());
    assert.deepEqual(await walk({}), newest);
    let removed = false;
    const between = async () => {
      await kiln.add(tenantId);
      if (!removed) await kiln.sql('delete from jobs where id = $1', [ids[4]]);
      removed = true;
    };
    assert.deepEqual(
      await walk({}, between),
      newest,
      'what is made or removed before the cursor changes nothing after it',
    );
  });

  it('keeps to space and status, alone and together', async () => {
    const make = (space: string) => kiln.add(tenantId, { space });
    const [a, b, c] = [await make('a'), await make('b'), await make('a')].map((id) => encodeId('job', id));
    await kiln.sql(`update jobs set status = 'completed' where space = 'b'`);
    await placeJobs(kiln);
    assert.deepEqual(await walk({ space: 'a' }), [c, a]);
    assert.deepEqual(await walk({ status: 'completed' }), [b]);
    assert.deepEqual(await walk({ space: 'a', status: 'queued' }), [c, a]);
    assert.deepEqual(await walk({ space: 'a', status: 'completed' }), []);
  });

  it('refuses a cursor of other filters, of another tenant, or of nobody, and takes one with another limit', async () => {
    for (let count = 0; count < 3; count++) await kiln.add(tenantId, { space: 'a' });
    const { next_cursor: cursor } = await page({ space: 'a' });
    assert.ok(cursor);
    assert.equal((await page({ space: 'a', cursor, limit: 50 })).jobs.length, 1);
    const refused = (error: unknown) => error instanceof CodedError && error.message.startsWith('cursor:');
    await assert.rejects(page({ cursor }), refused);
    await assert.rejects(page({ space: 'a', status: 'queued', cursor }), refused);
    await assert.rejects(page({ space: 'a', cursor }, uuidv7()), refused);
    await assert.rejects(page({ cursor: 'x' }), refused);
  });
});
