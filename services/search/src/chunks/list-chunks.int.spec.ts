// Real: Postgres, the object store. Faked: the files service.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeCursor, encodeId, type ChunkLine } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startSearch, type SearchHarness } from '../test/search-harness.js';
import { ChunkStore } from '../text-index/chunk.store.js';
import { ListChunks } from './list-chunks.usecase.js';

describe('the chunks of a file', () => {
  let kiln: SearchHarness;
  let chunks: ListChunks;
  beforeAll(async () => {
    kiln = await startSearch();
    const among = async (ids: readonly string[]) => new Set(ids.filter((id) => !kiln.deletedFiles.has(id)));
    chunks = new ListChunks(new ChunkStore(kiln.database), { among });
  });
  afterAll(() => kiln.close());

  const list = (tenantId: string, fileId: string, more: { cursor?: string; limit?: number } = {}) =>
    chunks.execute({ file_id: encodeId('file', fileId), limit: 50, ...more }, contextOf(tenantId));
  const lines = (count: number): ChunkLine[] =>
    Array.from({ length: count }, (_, index) => ({
      index,
      text: `part ${index}`,
      start: index * 10,
      end: index * 10 + 9,
      page: index + 1,
      heading_path: ['Top', `Part ${index}`],
      lines: [index + 1, 0, 9, 1_000, 2_000, 500, 250],
    }));

  it('are listed in their order with their places, page by page', async () => {
    const [tenantId, fileId] = [uuidv7(), uuidv7()];
    await kiln.indexTogether(tenantId, [{ fileId, chunks: [], lines: lines(5) }]);
    const first = await list(tenantId, fileId, { limit: 2 });
    expect(first.chunks[1]).toStrictEqual({
      index: 1,
      text: 'part 1',
      start: 10,
      end: 19,
      page: 2,
      regions: [{ page: 2, x: 0.1, y: 0.2, width: 0.05, height: 0.025 }],
      headings: ['Top', 'Part 1'],
    });
    const indexes: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list(tenantId, fileId, { limit: 2, ...(cursor !== undefined && { cursor }) });
      indexes.push(...page.chunks.map(({ index }) => index));
      cursor = page.next_cursor;
    }
    expect(indexes).toStrictEqual([0, 1, 2, 3, 4]);
  });

  it('fill a page as far as a message holds them, and the next page has the rest', async () => {
    const [tenantId, fileId] = [uuidv7(), uuidv7()];
    const large = lines(100).map((line) => ({ ...line, text: '\u0001'.repeat(8_000) }));
    await kiln.indexTogether(tenantId, [{ fileId, chunks: [], lines: large }]);
    const page = await list(tenantId, fileId, { limit: 100 });
    expect(page.chunks.length).toBeGreaterThan(10);
    expect(page.chunks.length).toBeLessThan(100);
    const next = await list(tenantId, fileId, { limit: 100, cursor: page.next_cursor ?? '' });
    expect(next.chunks[0]?.index).toBe(page.chunks.length);
  });

  it('of a deleted file and of another tenant are not found, and a cursor of another file is refused', async () => {
    const [tenantId, fileId, other] = [uuidv7(), uuidv7(), uuidv7()];
    await kiln.indexTogether(tenantId, [{ fileId, chunks: [], lines: lines(3) }]);
    const { next_cursor: cursor } = await list(tenantId, fileId, { limit: 1 });
    await expect(list(tenantId, other, { cursor: cursor ?? '' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const beyond = encodeCursor(`chunks:${tenantId}:${fileId}`, [2 ** 31]);
    await expect(list(tenantId, fileId, { cursor: beyond })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    // The files service knows the files of each tenant. Even if it did not, the index does.
    expect(await list(uuidv7(), fileId)).toStrictEqual({ chunks: [], next_cursor: null });
    kiln.deletedFiles.add(fileId);
    await expect(list(tenantId, fileId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
