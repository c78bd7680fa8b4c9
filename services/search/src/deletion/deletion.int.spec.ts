// Real: Postgres, the object store. Faked: the event, by a call of the use case.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { uuidOf } from '@kiln/contracts';
import { RequestRemoval } from './request-removal.usecase.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

let jobs = 0;
const nextJob = () => ++jobs;

describe('a deleted file', () => {
  let kiln: SearchHarness;
  beforeAll(async () => {
    kiln = await startSearch();
  });
  afterAll(() => kiln.close());

  const request = (tenantId: string, ...fileIds: string[]) =>
    kiln.database.transaction(async (transaction) => {
      const requestRemoval = new RequestRemoval(kiln.removals, kiln.removalWorker);
      const event = { transaction, afterCommit: () => undefined };
      for (const id of fileIds) await requestRemoval.execute(event, tenantId, id);
    });
  const drain = async () => {
    while (await kiln.removalWorker.round());
  };

  it('is no longer found, whether it was merged or not', async () => {
    const tenantId = randomUUID();
    for (const merged of [false, true]) {
      const gone = await kiln.index({ tenantId, title: 'Zebra', chunks: ['zebra stripes', 'common words'] });
      const left = await kiln.index({ tenantId, chunks: ['common words'], space: `merged ${merged}` });
      if (merged) await kiln.merge(tenantId);
      await request(tenantId, uuidOf('file', gone));
      await drain();
      expect((await kiln.search(tenantId, 'zebra')).total).toBe(0);
      const { results } = await kiln.search(tenantId, 'common', { space: `merged ${merged}` });
      expect(results.map((result) => result.file_id)).toStrictEqual([left]);
    }
  });

  it('requests that its numbers are collected, if many are removed at once', async () => {
    const tenantId = randomUUID();
    const files = Array.from({ length: 45 }, () => ({
      fileId: randomUUID(),
      chunks: Array.from({ length: 6 }, () => 'one of many'),
    }));
    await kiln.indexTogether(tenantId, files);
    await kiln.merge(tenantId);
    while (kiln.mergeRequests.take());
    await request(tenantId, ...files.slice(0, 5).map(({ fileId }) => fileId));
    await drain();
    expect(kiln.mergeRequests.take()).toBeNull();
    await request(tenantId, ...files.slice(5).map(({ fileId }) => fileId));
    await drain();
    expect(kiln.mergeRequests.take()).toMatchObject({ tenantId });
  });

  it('is not restored by a late index command of any run', async () => {
    const tenantId = randomUUID();
    const [indexed, never] = [randomUUID(), randomUUID()];
    await kiln.index({ tenantId, fileId: indexed, jobNumber: nextJob(), chunks: ['ghost'] });
    await request(tenantId, indexed, never);
    await drain();
    for (const fileId of [indexed, never]) {
      const late = kiln.index({ tenantId, fileId, jobNumber: nextJob(), fence: 9, chunks: ['ghost'] });
      await expect(late).rejects.toMatchObject({ code: 'SUPERSEDED' });
    }
    expect((await kiln.search(tenantId, 'ghost')).total).toBe(0);
  });

  it('is removed once, however often the removal is requested, even if it was never indexed', async () => {
    const tenantId = randomUUID();
    const fileId = randomUUID();
    await kiln.index({ tenantId, fileId, chunks: ['once'] });
    for (const id of [fileId, fileId, randomUUID()]) await request(tenantId, id);
    await drain();
    await request(tenantId, fileId);
    await drain();
    expect((await kiln.search(tenantId, 'once')).total).toBe(0);
  });

  it('is not restored while several processes write, remove and merge at once', async () => {
    const tenantId = randomUUID();
    const files = Array.from({ length: 60 }, () => randomUUID());
    const text = (n: number) =>
      Array.from({ length: 30 }, (_, k) => `word${(n * 7 + k * 3) % 90} everywhere`).join(' ');
    await Promise.all(
      files.slice(0, 40).map((fileId, n) => kiln.index({ tenantId, fileId, chunks: [text(n), text(n + 1)] })),
    );
    const index = async () => {
      for (const [n, fileId] of files.entries()) {
        const again = kiln.index({ tenantId, fileId, jobNumber: nextJob(), chunks: [text(n + 2)] });
        await again.catch((error: { code?: string }) => expect(error.code).toBe('SUPERSEDED'));
      }
    };
    const forget = async () => {
      for (let at = 0; at < 40; at += 8) {
        await request(tenantId, ...files.slice(at, at + 8));
        await drain();
      }
    };
    const merge = async () => {
      for (let round = 0; round < 30; round++) await kiln.mergeWorker.maintain(tenantId, 1);
    };
    await Promise.all([index(), forget(), merge(), forget(), merge(), index()]);
    await drain();
    await kiln.merge(tenantId);
    const { results, total } = await kiln.search(tenantId, 'everywhere', { limit: 200 });
    expect(total).toBe(20);
    expect(results.map((result) => uuidOf('file', result.file_id)).toSorted()).toStrictEqual(
      files.slice(40).toSorted(),
    );
    expect((await kiln.search(tenantId, 'txt', { limit: 200 })).total).toBe(20);
  });

  it('leaves a tombstone, which is deleted after eight days', async () => {
    const tenantId = randomUUID();
    await request(tenantId, randomUUID());
    await drain();
    await kiln.database.query({
      name: '',
      text: `update files set removed_at = now() - interval '9 days' where removed_at is not null`,
    });
    await drain();
    expect(
      await kiln.database.query({ name: '', text: 'select 1 from files where removed_at is not null' }),
    ).toStrictEqual([]);
  });
});
