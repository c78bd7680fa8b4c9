import { describe, expect, it } from '@jest/globals';
import { NumberSet } from './number-set.js';

describe('a set of numbers', () => {
  it('survives encoding as text, also where ranges cross the boundaries of windows', () => {
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
    expect(copy).toStrictEqual(set);
    const inside = [0, 5, 7, 32_768, 32_779, 98_303, 131_072];
    const outside = [1, 4, 8, 32_759, 32_780, 98_302, 131_073, 9_999_999];
    expect([...inside, ...outside].filter((number) => copy.has(number))).toStrictEqual(inside);
  });
});
