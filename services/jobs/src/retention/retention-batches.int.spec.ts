// Real: Postgres, with two connections that work at the same time. Faked: the passing of time, by jobs that were created and ended in the past.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { RETENTION_DAYS, retentionOf } from '../test/retention-harness.js';

describe('a batch of retention', () => {
  let kiln: JobsHarness;
  let retention: ReturnType<typeof retentionOf>;
  beforeAll(async () => {
    kiln = await startJobs();
    retention = retentionOf(kiln);
  });
  beforeEach(() => retention.rewind());
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const tenantId = uuidv7();
  const add = (fileId: string, created: number, ended: number | null, rest: object = {}) =>
    retention.add({ tenantId, fileId, created, ended, ...rest });
  /** Files with a superseded job and a newest one, which ended at different times. Returns the newest jobs. */
  async function addPairs(count: number): Promise<string[]> {
    const newest: string[] = [];
    for (let index = 0; index < count; index++) {
      const fileId = uuidv7();
      await add(fileId, 50 - index, 49.9 - index);
      newest.push(await add(fileId, 49.8 - index, 49.7 - index));
    }
    return newest.toSorted();
  }

  it('continues after the jobs that an earlier process has examined', async () => {
    const newest = await addPairs(6);
    const first = retention.storeOf({ jobsPerBatch: 2 });
    for (let deleted = 0; deleted < 2;) deleted += (await first.deleteBatch()).deleted;
    // A superseded job before the mark shows that the mark is not read again.
    const examined = uuidv7();
    const unread = [await add(examined, 58, 58), await add(examined, 57, 57)];
    expect(await retention.drain(retention.storeOf({ jobsPerBatch: 2 }))).toBe(4);
    expect(await retention.jobs()).toStrictEqual([...newest, ...unread].toSorted());
  });

  it('loses nothing when its process dies before the commit', async () => {
    const newest = await addPairs(3);
    const dying: Pick<Database, 'transaction'> = {
      transaction: (work) =>
        kiln.database.transaction(async (transaction) => {
          await work(transaction);
          throw new Error('died');
        }),
    };
    const store = retention.storeOf({}, dying);
    for (let batch = 0; batch < 3; batch++) await expect(store.deleteBatch()).rejects.toThrow('died');
    expect(await retention.jobs()).toHaveLength(6);
    expect(await retention.drain()).toBe(3);
    expect(await retention.jobs()).toStrictEqual(newest);
    expect(await retention.attempts()).toStrictEqual(newest);
  });

  it('is deleted by one of several processes, and once', async () => {
    const newest = await addPairs(12);
    const BATCHES_EACH = 30;
    let deleted = 0;
    const work = async () => {
      const store = retention.storeOf({ jobsPerBatch: 3 });
      for (let batch = 0; batch < BATCHES_EACH; batch++) {
        const { deleted: count } = await store.deleteBatch();
        // `deleted += await …` would read the sum before others add to it.
        deleted += count;
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    deleted += await retention.drain();
    expect(deleted).toBe(12);
    expect(await retention.jobs()).toStrictEqual(newest);
    const [count] = await kiln.sql<{ jobs: number }>('select sum(jobs)::int as jobs from superseded_jobs');
    expect(count?.jobs).toBe(12);
  });

  it('is left to the process that has the mark', async () => {
    await addPairs(1);
    await kiln.database.transaction(async (transaction) => {
      await transaction.query({ name: '', text: 'select from job_retention for update' });
      expect(await retention.storeOf().deleteBatch()).toStrictEqual({ deleted: 0, hasMore: false });
    });
    expect(await retention.drain()).toBe(1);
  });

  it('keeps a job that a caller is retrying, and deletes it after it has ended again', async () => {
    const fileId = uuidv7();
    const retried = await add(fileId, 40, 40, { status: 'failed' });
    const newest = await add(fileId, 39, 39);
    const others = await addPairs(1);
    await kiln.database.transaction(async (transaction) => {
      const text = `update jobs set status = 'queued', completed_at = null where tenant_id = $1 and id = $2`;
      await transaction.query({ name: '', text }, [tenantId, retried]);
      // Only the unlocked job: the batch neither waits for the caller nor forgets the job.
      expect(await retention.drain()).toBe(1);
    });
    expect(await retention.drain()).toBe(0);
    expect(await retention.jobs()).toStrictEqual([retried, newest, ...others].toSorted());
    const end = `update jobs set status = 'cancelled', completed_at = now() - interval '${RETENTION_DAYS} days 1 minute' where id = $1`;
    await kiln.sql(end, [retried]);
    await kiln.sql(`update job_retention set examined_until = now() - interval '${RETENTION_DAYS} days 1 hour'`);
    expect(await retention.drain()).toBe(1);
    expect(await retention.jobs()).toStrictEqual([newest, ...others].toSorted());
  });

  it('deletes a locked job when the lock is released', async () => {
    const fileId = uuidv7();
    const locked = await add(fileId, 40, 40);
    const newest = await add(fileId, 39, 39);
    await kiln.database.transaction(async (transaction) => {
      await transaction.query({ name: '', text: 'select from jobs where id = $1 for update' }, [locked]);
      expect(await retention.drain()).toBe(0);
    });
    expect(await retention.drain()).toBe(1);
    expect(await retention.jobs()).toStrictEqual([newest]);
  });

  it('leaves nothing of a file that is deleted before it commits', async () => {
    const fileId = uuidv7();
    await add(fileId, 40, 40);
    await add(fileId, 39, 39);
    const waiting = `select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
    let deletion: Promise<boolean> | undefined;
    const slow: Pick<Database, 'transaction'> = {
      transaction: (work) =>
        kiln.database.transaction(async (transaction) => {
          const result = await work(transaction);
          const [deleted] = await transaction.query({ name: '', text: 'select 1 from superseded_jobs' });
          if (deleted && !deletion) {
            deletion = kiln.database.transaction((other) => kiln.deletedFiles.deleteJobs(other, tenantId, fileId));
            await eventually(async () => expect(await kiln.sql(waiting)).toHaveLength(1));
          }
          return result;
        }),
    };
    expect(await retention.drain(retention.storeOf({}, slow))).toBe(1);
    await deletion;
    expect(await retention.jobs()).toStrictEqual([]);
    expect(await retention.attempts()).toStrictEqual([]);
    await kiln.sql(`update deleted_files set deleted_at = now() - interval '3 minutes'`);
    await kiln.deletedFiles.confirm(10);
    expect(await kiln.sql('select 1 from superseded_jobs')).toStrictEqual([]);
  });
});
