// Real: Postgres. Faked: nothing. Blocks are rewritten with few postings, so that a facet of a small tenant has many.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement, type Queryable, type Statement } from '@kiln/platform';
import { randomNumbers } from '@kiln/testing/seed';
import { randomUUID } from 'node:crypto';
import { facetsOfFilter } from '../postings/domain/facet.js';
import { PostingCursor, PostingWriter, type PostingList } from '../postings/domain/postings.js';
import type { IndexRange } from '../searching/domain/index-reader.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';
import { readFacets, readIndex } from './read-index.statements.js';

const FILES = 200;
const PER_BLOCK = 4;
const SPACES = facetsOfFilter({ space: 'main', contentType: undefined, metadata: undefined });

const LETTERS = 'bcdfghjklmnpqrtv';
/** A word that no stemmer changes. Parts of words with digits are words too. */
const wordOf = (start: string, n: number) => `${start}${LETTERS.charAt(n / 16)}a${LETTERS.charAt(n % 16)}o`;
const rare = (n: number) => wordOf('zo', n);
const tenth = (n: number) => wordOf('vu', n);
const pair = (n: number) => wordOf('ki', n);
const some = (n: number) => wordOf('mo', n);

const blocksOfTerms = statement(
  'test.blocks_of_terms',
  'select term, first::int4, count, data from posting_blocks where tenant_id = $1 and term = any($2) order by term, first',
);
const deleteBlock = statement('test.delete_block', 'delete from posting_blocks where tenant_id = $1 and term = $2');
const insertBlock = statement('test.insert_block', 'insert into posting_blocks values ($1, $2, $3, $4, $5, $6)');

describe('a filtered search for rare words', () => {
  let kiln: SearchHarness;
  const tenantId = randomUUID();
  const read = { blocks: 0, facetReads: 0, inSnapshot: 0 };
  let beforeFacets = async () => undefined as void;

  async function splitBlocks(): Promise<void> {
    const rows = await kiln.database.query<PostingList & { term: string }>(blocksOfTerms, [tenantId, SPACES]);
    for (const term of new Set(rows.map((row) => row.term))) {
      await kiln.database.query(deleteBlock, [tenantId, term]);
      const cursor = new PostingCursor(rows.filter((row) => row.term === term));
      while (cursor.number < Number.POSITIVE_INFINITY) {
        const first = cursor.number;
        const writer = new PostingWriter(first);
        for (; writer.count < PER_BLOCK && cursor.number < Number.POSITIVE_INFINITY; cursor.advance())
          writer.add(cursor);
        await kiln.database.query(insertBlock, [tenantId, term, first, writer.last, writer.count, writer.data]);
      }
    }
  }

  function watch<Target extends Queryable>(target: Target): Target {
    const query = target.query.bind(target);
    target.query = async <Row extends object>(given: Statement, values?: unknown[]) => {
      if (given.name === readFacets.name) await beforeFacets();
      const rows = await query<Row>(given, values);
      if (given.name === readFacets.name) read.facetReads++;
      if (given.name !== readFacets.name && given.name !== readIndex.name) return rows;
      for (const { positions } of rows as unknown as IndexRange[]) read.blocks += positions?.length ?? 0;
      return rows;
    };
    return target;
  }

  beforeAll(async () => {
    kiln = await startSearch();
    const random = randomNumbers(5);
    const files = Array.from({ length: FILES }, (_, n) => ({
      space: n % 10 === 7 ? 'other' : 'main',
      chunks: [`${rare(n)} ${tenth(n % 20)} common`, `common ${pair(n >> 1)} ${some(random(40))}`],
    }));
    for (let from = 0; from < FILES; from += 50) await kiln.indexTogether(tenantId, files.slice(from, from + 50));
    await kiln.merge(tenantId);
    await splitBlocks();
    await kiln.indexTogether(tenantId, [{ space: 'main', chunks: [`${rare(1)} in the tail`] }]);
    const { database } = kiln;
    const transaction = database.transaction.bind(database);
    watch(database);
    database.transaction = (work, options) => {
      if (options?.snapshot) read.inSnapshot++;
      return transaction((within) => work(options?.snapshot ? watch(within) : within), options);
    };
  });
  afterAll(() => kiln.close());

  const search = async (query: string, postings: number) => {
    kiln.searches.scans.facetBounds = { postings, blocks: 16 };
    Object.assign(read, { blocks: 0, facetReads: 0, inSnapshot: 0 });
    const { results, total } = await kiln.search(tenantId, query, { space: 'main', limit: 50 });
    return { total, found: results.map(({ file_id: id, score }) => `${score} ${id}`) };
  };

  it('reads only the blocks of the filter near the words, and finds the same', async () => {
    const facetBlocks = Math.ceil((0.9 * FILES) / PER_BLOCK);
    /** The passages that have a word of each query. */
    const passages: [query: string, count: number][] = [
      [rare(5), 1],
      [rare(7), 1],
      [`${rare(1)} ${rare(150)}`, 2],
      [tenth(3), 10],
      [`${rare(1)} ${pair(9)}`, 3],
      [`${rare(1)} -${tenth(2)}`, 11],
      [`"${rare(9)} ${tenth(9)}"`, 11],
      ['none', 0],
    ];
    for (const [query, count] of passages) {
      const whole = await search(query, -1);
      expect(read.facetReads).toBe(0);
      const { blocks } = read;
      expect(await search(query, 256)).toStrictEqual(whole);
      expect(read).toMatchObject({ facetReads: count > 0 ? 1 : 0, inSnapshot: 0 });
      const near = facetBlocks - (blocks - read.blocks);
      // File 7 is in the other space, so its passage may lie between two blocks: files are numbered in any order.
      expect(near).toBeGreaterThanOrEqual(query === rare(7) ? 0 : Math.min(count, 1));
      expect(near).toBeLessThanOrEqual(count);
    }
  });

  it('reads all blocks of the filter for a common word', async () => {
    const whole = await search('common', -1);
    const { blocks } = read;
    expect(await search('common', 256)).toStrictEqual(whole);
    expect(read).toStrictEqual({ blocks, facetReads: 0, inSnapshot: 0 });
  });

  it('finds the new version of a file that is replaced and purged before the filter is read', async () => {
    const fileId = randomUUID();
    await kiln.index({ tenantId, fileId, space: 'main', chunks: ['replaced'] });
    await kiln.merge(tenantId);
    beforeFacets = async () => {
      beforeFacets = async () => undefined;
      await kiln.index({ tenantId, fileId, jobNumber: 2, space: 'main', chunks: ['replaced again'] });
      const files = Array.from({ length: FILES }, () => ({ fileId: randomUUID(), space: 'gone', chunks: ['a', 'b'] }));
      for (let from = 0; from < FILES; from += 50) await kiln.indexTogether(tenantId, files.slice(from, from + 50));
      await kiln.merge(tenantId);
      for (const gone of files)
        await kiln.index({ tenantId, fileId: gone.fileId, jobNumber: 2, space: 'other', chunks: [] });
      await kiln.merge(tenantId);
      const rows = await kiln.database.query<{ term: string }>(blocksOfTerms, [
        tenantId,
        facetsOfFilter({ space: 'gone', contentType: undefined, metadata: undefined }),
      ]);
      expect(rows).toStrictEqual([]);
    };
    const { total, found } = await search('replaced', 256);
    expect({ total, files: found.length }).toStrictEqual({ total: 1, files: 1 });
    // The purge has joined the small blocks, so the repeated search reads them at once.
    expect(read).toMatchObject({ facetReads: 1, inSnapshot: 1 });
  });
});
