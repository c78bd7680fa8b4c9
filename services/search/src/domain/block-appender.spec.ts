import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { appendPostings, POSTINGS_PER_BLOCK_MAX, type Block } from './block-appender.js';
import { NumberSet } from './number-set.js';
import { PostingCursor, PostingWriter, type PostingRun } from './postings.js';
import { purgeBlocks } from './purge-blocks.js';

const runOf = (numbers: readonly number[]): PostingRun => {
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

/** Appends in turns, as merges do, with the blocks in memory instead of a table. */
function appendInTurns(turns: readonly number[][]): Block[] {
  const blocks: Block[] = [];
  for (const numbers of turns) {
    const { extended, inserted } = appendPostings(new Map([['term', [runOf(numbers)]]]), blocks.slice(-1));
    for (const more of extended) {
      const last = blocks.at(-1);
      assert.equal(last?.first, more.first);
      blocks.splice(-1, 1, { ...more, count: (last?.count ?? 0) + more.count, data: (last?.data ?? '') + more.data });
    }
    blocks.push(...inserted);
  }
  return blocks;
}

describe('appending postings to blocks', () => {
  it('fills the last block before it begins another', () => {
    const blocks = appendInTurns([range(3, 10), range(600, 700), range(1_000, 2_500), range(9_000, 9_001)]);
    assert.deepEqual(numbersOf(blocks), [...range(3, 10), ...range(600, 700), ...range(1_000, 2_500), 9_000]);
    assert.ok(blocks.slice(0, -1).every(({ count }) => count === POSTINGS_PER_BLOCK_MAX));
    for (const block of blocks)
      assert.deepEqual([block.first, block.last], [numbersOf([block])[0], numbersOf([block]).at(-1)]);
  });
});

describe('purging blocks', () => {
  it('drops the removed numbers, packs the rest, and leaves terms alone that have none', () => {
    const blocks = appendInTurns([range(0, 1_500)]);
    const others = blocks.map((block) => ({
      ...block,
      term: 'untouched',
      first: block.first + 100_000,
      last: block.last + 100_000,
    }));
    const removed = new NumberSet();
    removed.addRange(0, 600);
    removed.addRange(700, 1);
    const { gone, inserted } = purgeBlocks([...blocks, ...others], removed);
    assert.deepEqual(gone, blocks);
    assert.deepEqual(numbersOf(inserted), [...range(600, 700), ...range(701, 1_500)]);
    assert.equal(inserted.length, 2);
  });

  it('leaves no block of a term of which all is removed', () => {
    const blocks = appendInTurns([range(0, 700)]);
    const removed = new NumberSet();
    removed.addRange(0, 700);
    assert.deepEqual(purgeBlocks(blocks, removed), { gone: blocks, inserted: [] });
  });
});

describe('a set of numbers', () => {
  it('keeps its ranges as text, over the borders of windows', () => {
    const set = new NumberSet();
    const ranges: [number, number][] = [
      [0, 1],
      [5, 3],
      [32_760, 20],
      [32_768 * 3 - 1, 32_770],
    ];
    for (const [first, count] of ranges) set.addRange(first, count);
    const copy = new NumberSet();
    for (const window of set.bitmaps.keys()) copy.load(window, set.rangesOf(window));
    assert.deepEqual(copy, set);
    for (const number of [0, 5, 7, 32_768, 32_779, 98_303, 131_072]) assert.ok(copy.has(number), `${number}`);
    for (const number of [1, 4, 8, 32_759, 32_780, 98_302, 131_073, 9_999_999])
      assert.ok(!copy.has(number), `${number}`);
  });
});
