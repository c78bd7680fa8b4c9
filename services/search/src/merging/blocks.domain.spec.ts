import { describe, expect, it } from '@jest/globals';
import { appendPostings, POSTINGS_PER_BLOCK_MAX, type Block } from './append-postings.domain.js';
import { NumberSet } from '../postings/domain/number-set.js';
import { PostingCursor, PostingWriter, type PostingList } from '../postings/domain/postings.js';
import { purgeBlocks } from './purge-blocks.domain.js';

const listOf = (numbers: readonly number[]): PostingList => {
  const writer = new PostingWriter(numbers[0] ?? 0);
  for (const number of numbers) writer.add({ number, place: 0, repeats: 1, length: 9 });
  return { first: numbers[0] ?? 0, count: writer.count, data: writer.data };
};

const numbersOf = (blocks: readonly Block[]) => {
  const numbers: number[] = [];
  for (const cursor = new PostingCursor(blocks); cursor.number < Infinity; cursor.advance())
    numbers.push(cursor.number);
  return numbers;
};

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

/** Appends batch after batch, as merges do. The blocks are in memory instead of a table. */
function appendInBatches(batches: readonly number[][]): Block[] {
  const blocks: Block[] = [];
  for (const numbers of batches) {
    const { extended, inserted } = appendPostings(new Map([['term', [listOf(numbers)]]]), blocks.slice(-1));
    for (const more of extended) {
      const last = blocks.at(-1);
      expect(last?.first).toBe(more.first);
      blocks.splice(-1, 1, { ...more, count: (last?.count ?? 0) + more.count, data: (last?.data ?? '') + more.data });
    }
    blocks.push(...inserted);
  }
  return blocks;
}

describe('appending postings to blocks', () => {
  it('fills the last block before it begins a new one', () => {
    const blocks = appendInBatches([range(3, 10), range(600, 700), range(1_000, 2_500), range(9_000, 9_001)]);
    expect(numbersOf(blocks)).toStrictEqual([...range(3, 10), ...range(600, 700), ...range(1_000, 2_500), 9_000]);
    for (const { count } of blocks.slice(0, -1)) expect(count).toBe(POSTINGS_PER_BLOCK_MAX);
    for (const block of blocks)
      expect([block.first, block.last]).toStrictEqual([numbersOf([block])[0], numbersOf([block]).at(-1)]);
  });
});

describe('purging blocks', () => {
  it('drops removed numbers, repacks the others, and does not change terms without removed numbers', () => {
    const blocks = appendInBatches([range(0, 1_500)]);
    const others = blocks.map((block) => ({
      ...block,
      term: 'untouched',
      first: block.first + 100_000,
      last: block.last + 100_000,
    }));
    const removed = new NumberSet();
    removed.addRange(0, 600);
    removed.addRange(700, 1);
    const { deleted, inserted } = purgeBlocks([...blocks, ...others], removed);
    expect(deleted).toStrictEqual(blocks);
    expect(numbersOf(inserted)).toStrictEqual([...range(600, 700), ...range(701, 1_500)]);
    expect(inserted).toHaveLength(2);
  });

  it('leaves no block of a term whose passages are all removed', () => {
    const blocks = appendInBatches([range(0, 700)]);
    const removed = new NumberSet();
    removed.addRange(0, 700);
    expect(purgeBlocks(blocks, removed)).toStrictEqual({ deleted: blocks, inserted: [] });
  });
});
