import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeNumber, NumberReader } from './compact-numbers.js';
import { PostingCursor, PostingWriter, type Posting, type PostingRun } from './postings.js';

const runOf = (first: number, postings: readonly Posting[]): PostingRun => {
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

describe('numbers as text', () => {
  it('are read as they were written, and in ASCII', () => {
    const numbers = [0, 1, 63, 64, 95, 2_047, 2_048, 65_535, 65_536, 2 ** 31, 2 ** 45 + 17, Number.MAX_SAFE_INTEGER];
    const text = numbers.map(encodeNumber).join('');
    assert.match(text, /^[\x20-\x7f]*$/);
    const reader = new NumberReader(text);
    assert.deepEqual(
      numbers.map(() => reader.next()),
      numbers,
    );
    assert.equal(reader.at, text.length);
  });
});

describe('a cursor over postings', () => {
  it('reads all runs in turn, also those that come later', () => {
    const far = 2 ** 40;
    const cursor = new PostingCursor([runOf(5, [5, 6, 900].map(posting)), runOf(2_000, [posting(2_000)])]);
    cursor.append([runOf(3_000, [posting(far)])]);
    assert.deepEqual(read(cursor), [5, 6, 900, 2_000, far].map(posting));
    cursor.append([runOf(far + 1, [posting(far + 1)])]);
    assert.deepEqual(read(cursor), [posting(far + 1)]);
  });

  it('skips to the first posting at or behind a number, also where runs begin alike', () => {
    const runs = [
      runOf(0, [0, 10].map(posting)),
      runOf(20, [25, 30].map(posting)),
      runOf(20, [35, 40].map(posting)),
      runOf(50, [posting(50)]),
    ];
    for (let number = 0; number <= 51; number++) {
      const cursor = new PostingCursor(runs);
      cursor.skipTo(number);
      const expected = [0, 10, 25, 30, 35, 40, 50].filter((known) => known >= number);
      assert.deepEqual(read(cursor), expected.map(posting), `${number}`);
    }
  });

  it('refuses postings that are cut off or too long, and never loops', () => {
    const run = runOf(1, [1, 700, 90_000].map(posting));
    for (let length = 0; length < run.data.length; length++) {
      assert.throws(() => read(new PostingCursor([{ ...run, data: run.data.slice(0, length) }])), /damaged/);
    }
    assert.throws(() => read(new PostingCursor([{ ...run, data: `${run.data}@` }])), /damaged/);
  });
});
