// Real: Postgres. Faked: the event, by a call of the use case.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { startSearch, type SearchHarness } from '../test/search-harness.js';
import { IndexStore } from '../text-index/index.store.js';
import { ClearReplaced } from './clear-replaced.usecase.js';

describe('the index of a file whose content was replaced', () => {
  let kiln: SearchHarness;
  let clear: (tenantId: string, fileId: string, formerJobNumber: number) => Promise<void>;
  beforeAll(async () => {
    kiln = await startSearch();
    const replaced = new ClearReplaced(new IndexStore(kiln.database));
    clear = (tenantId, fileId, formerJobNumber) => replaced.execute([{ tenantId, fileId, formerJobNumber }]);
  });
  afterAll(() => kiln.close());

  const found = async (tenantId: string, word: string) => (await kiln.search(tenantId, word)).total;

  it('is no longer found, whether it was merged or not', async () => {
    for (const merged of [false, true]) {
      const tenantId = randomUUID();
      const file = await kiln.index({ tenantId, title: 'Zebra', jobNumber: 1, chunks: ['zebra stripes'] });
      await kiln.index({ tenantId, jobNumber: 1, chunks: ['common words'] });
      if (merged) await kiln.merge(tenantId);
      await clear(tenantId, uuidOf('file', file), 1);
      await clear(tenantId, uuidOf('file', file), 1);
      expect([await found(tenantId, 'zebra'), await found(tenantId, 'common')]).toStrictEqual([0, 1]);
    }
  });

  it('is refused for runs of the former jobs, and written by the job of the new content', async () => {
    const [tenantId, fileId] = [randomUUID(), randomUUID()];
    await kiln.index({ tenantId, fileId, jobNumber: 2, fence: 3, chunks: ['former'] });
    await clear(tenantId, fileId, 2);
    for (const [jobNumber, fence] of [
      [1, 9],
      [2, 4],
    ] as const) {
      const late = kiln.index({ tenantId, fileId, jobNumber, fence, chunks: ['former'] });
      await expect(late).rejects.toMatchObject({ code: 'SUPERSEDED' });
    }
    await kiln.index({ tenantId, fileId, jobNumber: 3, fence: 1, chunks: ['new'] });
    expect([await found(tenantId, 'former'), await found(tenantId, 'new')]).toStrictEqual([0, 1]);
  });

  it('stays if the job of the new content was faster than the event', async () => {
    const [tenantId, fileId] = [randomUUID(), randomUUID()];
    await kiln.index({ tenantId, fileId, jobNumber: 2, fence: 1, chunks: ['new'] });
    await clear(tenantId, fileId, 1);
    expect(await found(tenantId, 'new')).toBe(1);
  });

  it('is refused for runs of the former jobs if the file was never indexed', async () => {
    const [tenantId, fileId] = [randomUUID(), randomUUID()];
    await clear(tenantId, fileId, 1);
    await expect(kiln.index({ tenantId, fileId, jobNumber: 1, fence: 5, chunks: ['former'] })).rejects.toMatchObject({
      code: 'SUPERSEDED',
    });
    expect(await found(tenantId, 'former')).toBe(0);
  });
});
