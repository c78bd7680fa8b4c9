import { describe, expect, it } from '@jest/globals';
import { encodeNumber, NumberReader } from './compact-numbers.js';
import { PostingCursor, PostingWriter, type Posting, type PostingList } from './postings.js';

const listOf = (first: number, postings: readonly Posting[]): PostingList => {
  const writer = new PostingWriter(first);
  for (const posting of postings) writer.add(posting);
  return { first, count: writer.count, data: writer.data };
};

const read = (cursor: PostingCursor): Posting[] => {
  const postings: Posting[] = [];
  for (; cursor.number < Number.POSITIVE_INFINITY; cursor.advance()) {
    const { number, place, repeats, length } = cursor;
    postings.push({ number, place, repeats, length });
  }
  return postings;
};

const posting = (number: number): Posting => ({ number, place: number % 7, repeats: 1 + (number % 3), length: 150 });

describe('numbers encoded as text', () => {
  it('decode to the numbers that were encoded, and are ASCII', () => {
    const numbers = [0, 1, 63, 64, 95, 2_047, 2_048, 65_535, 65_536, 2 ** 31, 2 ** 45 + 17, Number.MAX_SAFE_INTEGER];
    const text = numbers.map(encodeNumber).join('');
    expect(text).toMatch(/^[\x20-\x7f]*$/);
    const reader = new NumberReader(text);
    expect(numbers.map(() => reader.next())).toStrictEqual(numbers);
    expect(reader.at).toBe(text.length);
  });
});

describe('a cursor over posting lists', () => {
  it('reads all lists in order, including lists that are appended later', () => {
    const far = 2 ** 40;
    const cursor = new PostingCursor([listOf(5, [5, 6, 900].map(posting)), listOf(2_000, [posting(2_000)])]);
    cursor.append([listOf(3_000, [posting(far)])]);
    expect(read(cursor)).toStrictEqual([5, 6, 900, 2_000, far].map(posting));
    cursor.append([listOf(far + 1, [posting(far + 1)])]);
    expect(read(cursor)).toStrictEqual([posting(far + 1)]);
  });

  const numbers = Array.from({ length: 52 }, (_, number) => number);
  it.each(numbers)('skips to the first posting at or after %i, also where lists begin with one number', (number) => {
    const lists = [
      listOf(0, [0, 10].map(posting)),
      listOf(20, [25, 30].map(posting)),
      listOf(20, [35, 40].map(posting)),
      listOf(50, [posting(50)]),
    ];
    const cursor = new PostingCursor(lists);
    cursor.skipTo(number);
    const expected = [0, 10, 25, 30, 35, 40, 50].filter((known) => known >= number);
    expect(read(cursor)).toStrictEqual(expected.map(posting));
  });

  it.each(numbers)(
    'moves to the list with the last posting at or before %i, and decodes no list before it',
    (number) => {
      const firsts = [0, 20, 40];
      const chosen = firsts.findLastIndex((first) => first <= number);
      // The first list is decoded when the cursor is made.
      const lists = firsts.map((first, at) => ({
        ...listOf(first, [first, first + 15].map(posting)),
        ...(at > 0 && at < chosen && { data: 'damaged' }),
      }));
      const cursor = new PostingCursor(lists);
      cursor.skipListsTo(number);
      const expected = firsts.slice(chosen).flatMap((first) => [first, first + 15]);
      expect(read(cursor)).toStrictEqual(expected.map(posting));
    },
  );

  it('stays where it is when the next list begins later', () => {
    const cursor = new PostingCursor([listOf(0, [0, 10].map(posting)), listOf(20, [posting(20)])]);
    cursor.advance();
    cursor.skipListsTo(19);
    expect(read(cursor)).toStrictEqual([10, 20].map(posting));
  });

  it('does not skip postings of a block because the tail of a file begins with a number of that block', () => {
    const block = listOf(0, [0, 4, 5].map(posting));
    // The file begins with passage 3. Its passages up to 5 are merged, and the other passages are in the tail.
    const tail = { ...listOf(3, [6, 8].map(posting)), lowest: 6 };
    const cursor = new PostingCursor([block, tail]);
    cursor.skipTo(5);
    expect(read(cursor)).toStrictEqual([5, 6, 8].map(posting));
  });

  it('throws on a list that is too short or too long, and never loops', () => {
    const list = listOf(1, [1, 700, 90_000].map(posting));
    for (let length = 0; length < list.data.length; length++) {
      expect(() => read(new PostingCursor([{ ...list, data: list.data.slice(0, length) }]))).toThrow(/damaged/);
    }
    expect(() => read(new PostingCursor([{ ...list, data: `${list.data}@` }]))).toThrow(/damaged/);
  });
});
