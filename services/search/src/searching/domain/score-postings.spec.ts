import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { NumberSet } from '../../postings/domain/number-set.js';
import { PostingCursor, PostingWriter } from '../../postings/domain/postings.js';
import { PostingScorer } from './score-postings.js';

const TERMS = 200;

function cursorOf(numbers: readonly number[]): PostingCursor {
  const writer = new PostingWriter(0);
  for (const number of numbers) writer.add({ number, place: number % 10, repeats: 1, length: 10 });
  return new PostingCursor([{ first: 0, count: writer.count, data: writer.data }]);
}

const scorerOf = (numbers: readonly number[]) =>
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
    const { files, total } = inParts.finish();
    const expected = whole.finish();
    expect(total).toBe(expected.total);
    expect(files).toStrictEqual(expected.files);
  });
});
