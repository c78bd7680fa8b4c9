import { describe, expect, it } from '@jest/globals';
import { chunkAt, overlap } from './spans.js';

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
});
