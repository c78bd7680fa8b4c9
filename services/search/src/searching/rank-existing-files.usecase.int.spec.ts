// Real: Postgres. Faked: the files service.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, uuidOf } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { contextOf, startSearch, type SearchHarness } from '../test/search-harness.js';
import { RankExistingFiles } from './rank-existing-files.usecase.js';

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

  describe('of more than a thousand deleted files that rank higher', () => {
    const tenantId = randomUUID();
    let kept: string[];
    beforeAll(async () => {
      kept = await indexMany(tenantId, 3, 'an orca among many other words of a longer text');
      for (let call = 0; call < 25; call++) {
        const files = Array.from({ length: 50 }, () => ({ fileId: randomUUID(), chunks: ['orca', 'orca again'] }));
        for (const { fileId } of files) kiln.deletedFiles.add(fileId);
        await kiln.indexTogether(tenantId, files);
        // Half of them stay in the tail.
        if (call === 12) await kiln.merge(tenantId);
      }
    });

    it.each(['file', 'chunk'] as const)(
      'none takes the place of a %s that exists, and none is counted',
      async (group) => {
        const { results, total } = await kiln.search(tenantId, 'orca', { limit: 2, group });
        expect(results).toHaveLength(2);
        expect(kept).toEqual(expect.arrayContaining(results.map((result) => result.file_id)));
        expect(total).toBe(3);
        expect((await kiln.search(tenantId, '"among many" orca', { limit: 50, group })).results).toHaveLength(3);
      },
    );

    it('the search ends when all files were read, though fewer exist than were asked for', async () => {
      const ranking = new RankExistingFiles(kiln.textIndex, kiln.files);
      ranking.sweptMax = 600;
      const { files, total } = await ranking.rank(contextOf(tenantId), 'orca', {}, { limit: 10 });
      expect(files.map(({ fileId }) => encodeId('file', fileId)).toSorted()).toStrictEqual(kept.toSorted());
      expect(total).toBe(3);
      deleteAll(kept);
      expect(await ranking.rank(contextOf(tenantId), 'orca', {}, { limit: 10 })).toMatchObject({ files: [], total: 0 });
      for (const id of kept) kiln.deletedFiles.delete(uuidOf('file', id));
    });

    it('a filter that the files service applies meets the files that exist', async () => {
      const [recent = ''] = kept;
      kiln.fileDetails.set(uuidOf('file', recent), {
        file_id: recent,
        filename: 'x.txt',
        space: 'default',
        content_type: null,
        external_id: null,
        metadata: { year: '2020' },
        created_at: '2026-01-01 00:00:00',
      });
      const { results } = await kiln.search(tenantId, 'orca', { filter: { 'metadata.year': { gte: 2020 } } });
      expect(results.map((result) => result.file_id)).toStrictEqual([recent]);
    });
  });
});
