// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '@kiln/platform';
import { randomUUID } from 'node:crypto';
import { BlockSplitter, type Block } from '../merging/append-postings.domain.js';
import { columnsOf } from '../merging/merge.store.js';
import { insertBlocks } from '../merging/merge.statements.js';
import { facetsOfFilter } from '../postings/domain/facet.js';
import type { IndexStart } from '../searching/domain/index-reader.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';
import { readIndex } from './read-index.statements.js';

const FILES = 2_000;
const NUMBERS_PER_FILE = 5;
const [facet = ''] = facetsOfFilter({ space: 'all' });

describe('the blocks that a search reads', () => {
  let kiln: SearchHarness;
  const tenantId = randomUUID();
  beforeAll(async () => {
    kiln = await startSearch();
    const files = Array.from({ length: FILES }, (_, file) => file * NUMBERS_PER_FILE);
    const blocks = [
      ...blocksOf(facet, files, NUMBERS_PER_FILE),
      ...blocksOf('unique', [6_003], 10),
      ...blocksOf('ends', [1, 9_999], 10),
    ];
    await kiln.database.query(insertBlocks, [tenantId, ...columnsOf(blocks)]);
  });
  afterAll(() => kiln.close());

  /** Returns the first numbers of the blocks of the facet that are read. */
  const facetBlocks = async (...words: string[]) => {
    const [start] = await kiln.database.query<IndexStart>(readIndex, [tenantId, [...words, facet], 4_194_304, false]);
    const { positions, firsts } = start as IndexStart;
    return (firsts ?? [])
      .filter((_, at) => positions?.[at] === words.length + 1)
      .toSorted((left, right) => left - right);
  };
  const all = [0, 2_560, 5_120, 7_680];

  it('are of a filter only the one with the file of a unique word', async () => {
    expect(await facetBlocks('unique')).toStrictEqual([5_120]);
  });

  it('are all blocks of a filter for words at both ends, and none for an unknown word', async () => {
    expect(await facetBlocks('ends', 'unique')).toStrictEqual(all);
    expect(await facetBlocks('unknown')).toStrictEqual([]);
  });

  it('include those of the filter up to a file whose last words are still in the tail', async () => {
    await kiln.database.query(addPartialFile, [tenantId, randomUUID(), 9_995]);
    expect(await facetBlocks('unknown')).toStrictEqual([7_680]);
    expect(await facetBlocks('unique')).toStrictEqual([5_120, 7_680]);
  });
});

function blocksOf(term: string, numbers: readonly number[], length: number): Block[] {
  const splitter = new BlockSplitter(term);
  for (const number of numbers) splitter.add({ number, place: number % NUMBERS_PER_FILE, repeats: 1, length });
  splitter.flush();
  return splitter.blocks;
}

const addPartialFile = statement(
  'test.add_partial_file',
  `with file as (insert into files (tenant_id, file_id, job_number, fence, chunks, first_number) values ($1, $2, 1, 1, 4, $3))
   insert into tenant_indexes (tenant_id, next_number, partial_file_id) values ($1, 10000, $2)`,
);
