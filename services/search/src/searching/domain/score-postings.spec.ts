import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { NUMBERS_PER_WINDOW, NumberSet } from '../../postings/domain/number-set.js';
import { PostingCursor, PostingWriter, type Posting, type PostingList } from '../../postings/domain/postings.js';
import { PostingScorer, type ScoringInput } from './score-postings.js';

const TERMS = 200;

function listOf(postings: readonly Posting[]): PostingList {
  const first = postings[0]?.number ?? 0;
  const writer = new PostingWriter(first);
  for (const posting of postings) writer.add(posting);
  return { first, count: writer.count, data: writer.data };
}

const cursorOf = (numbers: readonly number[]) =>
  new PostingCursor([listOf(numbers.map((number) => ({ number, place: number % 10, repeats: 1, length: 10 })))]);

const scorerOf = (numbers: readonly number[], input: Partial<ScoringInput> = {}) =>
  new PostingScorer({
    terms: Array.from({ length: TERMS }, () => cursorOf(numbers)),
    facets: [],
    clauses: null,
    removed: new NumberSet(),
    isSkipped: () => false,
    weights: {
      terms: Array.from({ length: TERMS }, () => 1),
      frequencies: [],
      passages: 1_000,
      averageChunkLength: 10,
      averageTitleLength: 10,
      scoreMax: 1,
    },
    limit: 10,
    chunksPerFile: 1,
    ...input,
  });

const numbers = Array.from({ length: 500 }, (_, number) => number * 3);

describe('scoring', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('lets other work run between the terms of a window', async () => {
    // Each reading of the clock takes a millisecond.
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => ++now);
    let ticks = 0;
    let isOver = false;
    const other = () => {
      if (isOver) return;
      ticks++;
      setImmediate(other);
    };
    setImmediate(other);
    await scorerOf(numbers).scoreBelow(Number.POSITIVE_INFINITY);
    isOver = true;
    expect(ticks).toBeGreaterThan(TERMS / 10);
  });

  it('finds the same when a window is scored in parts', async () => {
    const whole = scorerOf(numbers);
    await whole.scoreBelow(Number.POSITIVE_INFINITY);
    const inParts = scorerOf(numbers);
    for (const end of [1, 5, 700, 701, 1_400]) await inParts.scoreBelow(end);
    await inParts.scoreBelow(Number.POSITIVE_INFINITY);
    const { items, total } = inParts.finish();
    const expected = whole.finish();
    expect(total).toBe(expected.total);
    expect(items).toStrictEqual(expected.items);
  });

  const WINDOWS = 8;
  const FILES_PER_WINDOW = 256;
  const FILE_NUMBERS = NUMBERS_PER_WINDOW / FILES_PER_WINDOW;
  const facetBlocks = Array.from({ length: WINDOWS }, (_, window) => {
    const first = window * NUMBERS_PER_WINDOW;
    const files = Array.from({ length: FILES_PER_WINDOW }, (_file, at) => first + at * FILE_NUMBERS);
    return listOf(files.map((number) => ({ number, place: 0, repeats: 1, length: FILE_NUMBERS })));
  });

  it('decodes only the blocks of a filter that are near the words', async () => {
    const near = 5;
    const word = near * NUMBERS_PER_WINDOW + 3;
    const postings = listOf([{ number: word, place: 3, repeats: 1, length: 10 }]);
    // The first block is decoded when the cursor is made, and the one after the word's when that is read.
    const decoded = [0, near, near + 1];
    const others = facetBlocks.map((block, at) => (decoded.includes(at) ? block : { ...block, data: 'damaged' }));
    const scorer = scorerOf([], {
      terms: [new PostingCursor([postings])],
      facets: [new PostingCursor(others)],
    });
    await scorer.scoreBelow(Number.POSITIVE_INFINITY);
    expect(scorer.finish().items).toMatchObject([{ first: word - 3, place: 3 }]);
  });

  it('finds a file that begins some windows before its word, in a block of the filter before that of the window', async () => {
    const place = 2 * NUMBERS_PER_WINDOW + 7;
    const postings = listOf([{ number: place + 1, place, repeats: 1, length: 10 }]);
    const large = listOf([{ number: 1, place: 0, repeats: 1, length: 3 * NUMBERS_PER_WINDOW }]);
    const later = listOf([{ number: 3 * NUMBERS_PER_WINDOW + 1, place: 0, repeats: 1, length: 5 }]);
    const scorer = scorerOf([], {
      terms: [new PostingCursor([postings])],
      facets: [new PostingCursor([large, later])],
    });
    await scorer.scoreBelow(Number.POSITIVE_INFINITY);
    expect(scorer.finish().items).toMatchObject([{ first: 1, place }]);
  });
});
