// Real: Postgres. Faked: the passing of time, by jobs that were created and ended in the past.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { RETENTION_DAYS, retentionOf } from '../test/retention-harness.js';

describe('the retention of jobs', () => {
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

  it('deletes superseded jobs and their attempts, whatever their outcome, and keeps the newest job of each file', async () => {
    const [fileId, other] = [uuidv7(), uuidv7()];
    await add(fileId, 40, 40);
    await add(fileId, 39, 39, { status: 'failed' });
    await add(fileId, 38, 38, { status: 'cancelled' });
    const newest = await add(fileId, 30, 29);
    const ofOtherFile = await add(other, 50, 50);
    const ofOtherTenant = await retention.add({ tenantId: uuidv7(), fileId, created: 45, ended: 45 });
    expect(await retention.drain()).toBe(3);
    const kept = [ofOtherFile, ofOtherTenant, newest];
    expect(await retention.jobs()).toStrictEqual(kept);
    expect(await retention.attempts()).toStrictEqual(kept);
  });

  it('deletes a job days after a newer job has ended, not days after its own end', async () => {
    const [early, late] = [uuidv7(), uuidv7()];
    await add(early, 40, 40);
    const successor = await add(early, 39, RETENTION_DAYS + 0.01);
    const waiting = [await add(late, 40, 40), await add(late, 39, RETENTION_DAYS - 0.01)];
    expect(await retention.drain()).toBe(1);
    expect(await retention.jobs()).toStrictEqual([successor, ...waiting].toSorted());
  });

  it('keeps jobs that are queued or processing, and jobs whose newer job has not ended', async () => {
    const [first, second] = [uuidv7(), uuidv7()];
    await add(first, 40, null, { status: 'queued' });
    await add(first, 39, null, { status: 'processing' });
    await add(first, 38, 38);
    await add(second, 40, 40);
    await add(second, 39, null, { status: 'queued' });
    expect(await retention.drain()).toBe(0);
    expect(await retention.jobs()).toHaveLength(5);
  });

  it('deletes a job that ended after the newer one', async () => {
    const fileId = uuidv7();
    await add(fileId, 40, 20, { status: 'cancelled' });
    const newest = await add(fileId, 39, 38);
    expect(await retention.drain()).toBe(1);
    expect(await retention.jobs()).toStrictEqual([newest]);
  });

  it('keeps both jobs if their ids and their rows disagree about which is newer, until a third one has ended', async () => {
    const fileId = uuidv7();
    const [lower, higher] = [uuidv7({ msecs: 1 }), uuidv7({ msecs: 2 })];
    await add(fileId, 40, 40, { id: higher });
    await add(fileId, 39, 39, { id: lower });
    expect(await retention.drain()).toBe(0);
    const newest = await add(fileId, 20, 20);
    await retention.rewind();
    expect(await retention.drain()).toBe(2);
    expect(await retention.jobs()).toStrictEqual([newest]);
  });

  it('examines all jobs that ended at the same time, in batches of two', async () => {
    const newest: string[] = [];
    for (let index = 0; index < 7; index++) {
      const fileId = uuidv7();
      await add(fileId, 40, 30);
      newest.push(await add(fileId, 39, 30));
    }
    await kiln.sql('update jobs set completed_at = (select min(completed_at) from jobs)');
    expect(await retention.drain(retention.storeOf({ jobsPerBatch: 2 }))).toBe(7);
    expect(await retention.jobs()).toStrictEqual(newest.toSorted());
  });

  it('deletes more jobs of one file than a batch may delete', async () => {
    const fileId = uuidv7();
    for (let index = 0; index < 9; index++) await add(fileId, 40 - index, 40 - index);
    const newest = await add(fileId, 20, 20);
    expect(await retention.drain(retention.storeOf({ jobsPerBatch: 4 }))).toBe(9);
    expect(await retention.jobs()).toStrictEqual([newest]);
  });

  it('counts the deleted jobs of a file by status, until the file is deleted', async () => {
    const fileId = uuidv7();
    await add(fileId, 40, 40);
    await add(fileId, 39, 39, { status: 'failed' });
    await add(fileId, 38, 38);
    const counts = async () =>
      Object.fromEntries((await kiln.jobs.counts(tenantId)).map((row) => [row.status, row.jobs]));
    const before = await counts();
    expect(before).toStrictEqual({ completed: 2, failed: 1 });
    expect(await retention.drain()).toBe(2);
    expect(await counts()).toStrictEqual(before);
    await add(fileId, 30, 30);
    await retention.rewind();
    expect(await retention.drain()).toBe(1);
    expect(await counts()).toStrictEqual({ completed: 3, failed: 1 });
    await kiln.deletedFiles.deleteJobs(kiln.database, tenantId, fileId);
    expect(await counts()).toStrictEqual({});
  });
});
