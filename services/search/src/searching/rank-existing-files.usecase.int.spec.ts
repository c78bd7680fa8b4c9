// Real: Postgres. Faked: the files service.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

describe('a file that is deleted, while its index entry remains', () => {
  let kiln: SearchHarness;
  beforeAll(async () => {
    kiln = await startSearch();
  });
  afterAll(() => kiln.close());

  const indexMany = async (tenantId: string, count: number, text: string) => {
    const ids: string[] = [];
    for (let file = 0; file < count; file++) ids.push(await kiln.index({ tenantId, chunks: [text] }));
    return ids;
  };
  const deleteAll = (ids: readonly string[]) => ids.forEach((id) => kiln.deletedFiles.add(uuidOf('file', id)));

  it('is not found, and not counted', async () => {
    const tenantId = randomUUID();
    const [kept] = await indexMany(tenantId, 1, 'narwhal');
    deleteAll(await indexMany(tenantId, 2, 'narwhal tusk'));
    const { results, total } = await kiln.search(tenantId, 'narwhal');
    expect(results.map((result) => result.file_id)).toStrictEqual([kept]);
    expect(total).toBe(1);
    expect(await kiln.search(tenantId, 'tusk')).toMatchObject({ results: [], total: 0 });
  });

  it('does not take the place of one that exists, however many are deleted', async () => {
    const tenantId = randomUUID();
    const kept = await indexMany(tenantId, 3, 'a beluga among many other words of a longer text');
    deleteAll(await indexMany(tenantId, 40, 'beluga'));
    const { results, total } = await kiln.search(tenantId, 'beluga', { limit: 2 });
    expect(results).toHaveLength(2);
    expect(kept).toEqual(expect.arrayContaining(results.map((result) => result.file_id)));
    expect(total).toBe(3);
  });
});
