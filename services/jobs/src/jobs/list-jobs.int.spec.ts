// Real: Postgres. Faked: the times at which jobs were made.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, uuidOf, type CallContext } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { JobListStore } from './job-list.store.js';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { ListJobs } from './list-jobs.usecase.js';

const tenantId = uuidv7();
const context = (tenant = tenantId): CallContext => ({
  requestId: 'test',
  tenantId: tenant,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 60_000,
});

describe('the list of jobs', () => {
  let kiln: JobsHarness;
  let listJobs: ListJobs;
  beforeAll(async () => {
    kiln = await startJobs();
    listJobs = new ListJobs(new JobListStore(kiln.database));
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

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

  it('shows each job once, newest first, even when all were created at once and others change meanwhile', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push(await kiln.add(tenantId));
    await kiln.sql(`update jobs set created_at = '2026-01-02 03:04:05.678'`);
    const newest = ids.toReversed().map((id) => encodeId('job', id));
    await kiln.add(uuidv7());
    expect(await walk({})).toStrictEqual(newest);
    let removed = false;
    const between = async () => {
      await kiln.add(tenantId);
      if (!removed) await kiln.sql('delete from jobs where id = $1', [ids[4]]);
      removed = true;
    };
    // A job that is created or removed before the cursor changes nothing after it.
    expect(await walk({}, between)).toStrictEqual(newest);
  });

  it('filters by space and status, separately and together', async () => {
    const make = (space: string) => kiln.add(tenantId, { space });
    const [a, b, c] = [await make('a'), await make('b'), await make('a')].map((id) => encodeId('job', id));
    await kiln.sql(`update jobs set status = 'completed' where space = 'b'`);
    expect(await walk({ space: 'a' })).toStrictEqual([c, a]);
    expect(await walk({ status: 'completed' })).toStrictEqual([b]);
    expect(await walk({ space: 'a', status: 'queued' })).toStrictEqual([c, a]);
    expect(await walk({ space: 'a', status: 'completed' })).toStrictEqual([]);
  });

  it('filters by file, by batch and by time, together with the others', async () => {
    const [file, batch] = [encodeId('file', uuidv7()), uuidv7()];
    const make = async (more: Parameters<typeof kiln.add>[1]) => encodeId('job', await kiln.add(tenantId, more));
    const first = await make({ file_id: file, batch_id: encodeId('batch', batch) });
    const second = await make({ file_id: file });
    const other = await make({ batch_id: encodeId('batch', batch), space: 'b' });
    await kiln.sql(`update jobs set status = 'failed', created_at = '2026-01-02 03:04:05.678' where id = $1`, [
      uuidOf('job', first),
    ]);
    const ofBatch = { batch_id: encodeId('batch', batch) };
    expect(await walk({ file_id: file })).toStrictEqual([second, first]);
    expect(await walk(ofBatch)).toStrictEqual([other, first]);
    expect(await walk({ ...ofBatch, file_id: file })).toStrictEqual([first]);
    expect(await walk({ ...ofBatch, status: 'failed' })).toStrictEqual([first]);
    expect(await walk({ ...ofBatch, space: 'b' })).toStrictEqual([other]);
    expect(await walk({ since: '2026-01-02T03:04:05.678Z' })).toStrictEqual([other, second, first]);
    expect(await walk({ since: '2026-01-02T03:04:05.679Z' })).toStrictEqual([other, second]);
    expect(await walk({ file_id: encodeId('file', uuidv7()) })).toStrictEqual([]);
    expect((await page({ file_id: file }, uuidv7())).jobs).toStrictEqual([]);
  });

  it('refuses a cursor of other filters, of another tenant, or forged, and accepts one with another limit', async () => {
    for (let count = 0; count < 3; count++) await kiln.add(tenantId, { space: 'a' });
    const { next_cursor: cursor } = await page({ space: 'a' });
    if (!cursor) throw new Error('no cursor');
    expect((await page({ space: 'a', cursor, limit: 50 })).jobs).toHaveLength(1);
    const refused = { name: 'CodedError', message: expect.stringMatching(/^cursor /) };
    await expect(page({ cursor })).rejects.toMatchObject(refused);
    await expect(page({ space: 'a', status: 'queued', cursor })).rejects.toMatchObject(refused);
    await expect(page({ space: 'a', cursor }, uuidv7())).rejects.toMatchObject(refused);
    await expect(page({ cursor: 'x' })).rejects.toMatchObject(refused);
  });
});
