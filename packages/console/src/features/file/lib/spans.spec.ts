import { describe, expect, it } from '@jest/globals';
import { chunkAt, chunkOnPage, overlap } from './spans.js';

describe('parts of a text', () => {
  it('overlap where they share a character', () => {
    expect(overlap({ start: 0, end: 5 }, { start: 4, end: 9 })).toBe(true);
    expect(overlap({ start: 0, end: 5 }, { start: 5, end: 9 })).toBe(false);
  });

  it('belong to the last chunk that begins before them', () => {
    const chunks = [
      { start: 0, end: 10 },
      { start: 8, end: 20 },
    ];
    expect([0, 7, 8, 30].map((offset) => chunkAt(chunks, offset)?.start)).toStrictEqual([0, 0, 8, 8]);
    expect(chunkAt([], 3)).toBeUndefined();
  });

  it('begin a page with its first chunk, or with that of the next page that has one', () => {
    const chunks = [{ page: null }, { page: 1 }, { page: 1, at: 2 }, { page: 4 }];
    expect([1, 2, 4, 5].map((page) => chunkOnPage(chunks, page))).toStrictEqual([
      { page: 1 },
      { page: 4 },
      { page: 4 },
      undefined,
    ]);
  });
});
