import { describe, expect, it } from '@jest/globals';
import { PostingCursor, PostingWriter } from '../../postings/domain/postings.js';
import { NUMBERS_PER_WINDOW as WINDOW } from '../../postings/domain/number-set.js';
import { clauseOf, type Clause } from './clause.js';
import { ClauseFilter, ClausePostings } from './clause-filter.js';

/** The postings of a term in the passages of one file, whose first passage has number `first`. */
function cursorOf(first: number, numbers: readonly number[]): PostingCursor {
  const writer = new PostingWriter(0);
  for (const number of numbers) writer.add({ number, place: number - first, repeats: 1, length: 10 });
  return new PostingCursor(numbers.length === 0 ? [] : [{ first: 0, count: writer.count, data: writer.data }]);
}

const clause = (text: string, excluded = false, languages: ('english' | 'german')[] = ['english']) =>
  clauseOf(text, excluded, languages) as Clause;

/** Reads one file, whose first passage has number `first`. */
function readFile(
  clauses: readonly Clause[],
  terms: readonly (readonly (readonly number[])[][])[],
  { first = 0, passages = 10, placesMax = 100 } = {},
) {
  const postings = terms.map(
    (variants) => new ClausePostings(variants.map((lists) => lists.map((numbers) => cursorOf(first, numbers)))),
  );
  const filter = new ClauseFilter(clauses, postings, placesMax);
  const start = Math.floor(first / WINDOW) * WINDOW;
  const marked: number[] = [];
  filter.markWindow(start, start + WINDOW, (offset) => marked.push(start + offset));
  for (let number = first; number < first + passages; number++) {
    const mark = filter.takeMark(number - start);
    if (mark !== 0) filter.addToFile(number - first, mark);
  }
  return { marked: new Set(marked), end: filter.endFile(), filter };
}

describe('the clauses of a query', () => {
  it('are decided by postings when they are one word', () => {
    expect(readFile([clause('fox')], [[[[3]]]]).end).toStrictEqual({ places: [[]], truncated: false });
    expect(readFile([clause('fox')], [[[[]]]]).end).toBeNull();
    expect(readFile([clause('fox', true)], [[[[3]]]]).end).toBeNull();
    expect(readFile([clause('fox', true)], [[[[]]]]).end).toStrictEqual({ places: [[]], truncated: false });
  });

  it('leave a phrase to the texts of the passages that have all of its words', () => {
    const { marked, end } = readFile(
      [clause('red fox')],
      [
        [
          [
            [1, 3, 7],
            [2, 3, 7, 8],
          ],
        ],
      ],
    );
    expect(marked).toStrictEqual(new Set([3, 7]));
    expect(end).toStrictEqual({ places: [[3, 7]], truncated: false });
    expect(readFile([clause('red fox')], [[[[1], [2]]]]).end).toBeNull();
  });

  it('do not rule out a file for the words of an excluded phrase: its texts decide', () => {
    const { end } = readFile([clause('red fox', true)], [[[[3], [3]]]]);
    expect(end).toStrictEqual({ places: [[3]], truncated: false });
  });

  it('must all be met', () => {
    const clauses = [clause('fox'), clause('wolf'), clause('bear', true)];
    expect(readFile(clauses, [[[[1]]], [[[5]]], [[[]]]]).end).not.toBeNull();
    expect(readFile(clauses, [[[[1]]], [[[]]], [[[]]]]).end).toBeNull();
    expect(readFile(clauses, [[[[1]]], [[[5]]], [[[9]]]]).end).toBeNull();
  });

  it('are met by the words of any one language of the files', () => {
    const both = clause('rote Füchse', false, ['english', 'german']);
    expect(
      readFile(
        [both],
        [
          [
            [[], []],
            [[4], [4]],
          ],
        ],
      ).end,
    ).toStrictEqual({ places: [[4]], truncated: false });
    expect(
      readFile(
        [both],
        [
          [
            [[4], []],
            [[], [4]],
          ],
        ],
      ).end,
    ).toBeNull();
  });

  it('keep a bounded number of places, and say when there are more', () => {
    const { end } = readFile(
      [clause('red fox')],
      [
        [
          [
            [1, 2, 3],
            [1, 2, 3],
          ],
        ],
      ],
      { placesMax: 2 },
    );
    expect(end).toStrictEqual({ places: [[1, 2]], truncated: true });
  });

  it('begin anew with each file, and continue in the next window', () => {
    const { filter } = readFile([clause('fox')], [[[[1, WINDOW + 2]]]]);
    expect(filter.endFile()).toBeNull();
    expect(filter.next).toBe(WINDOW + 2);
    const marked: number[] = [];
    filter.markWindow(WINDOW, 2 * WINDOW, (offset) => marked.push(offset));
    expect([marked, filter.takeMark(2), filter.takeMark(2), filter.next]).toStrictEqual([
      [2],
      1,
      0,
      Number.POSITIVE_INFINITY,
    ]);
  });
});
