import { describe, expect, it } from '@jest/globals';
import { type PlacedText, placedWords } from '../fixtures/pdf-words.js';
import { segmentsOf } from '../words/rows.js';
import { linesOf } from './text-lines.js';

const isBold = (...parts: [text: string, options?: PlacedText][]): boolean | undefined => {
  let left = 0;
  const words = parts.flatMap(([text, options]) => {
    const placed = placedWords(left, 100, text, options);
    left = (placed.at(-1)?.right ?? 0) + 3;
    return placed;
  });
  return linesOf(segmentsOf(words))[0]?.isBold;
};

describe('a line', () => {
  it('is bold if most of it is, except names of code, whose face has no bold', () => {
    expect(isBold(['Kiln: a toolkit', { isBold: true }])).toBe(true);
    expect(isBold(['FireDoorOpener', { isMono: true }], [': a toolkit', { isBold: true }])).toBe(true);
    expect(isBold(['A', { isBold: true }], ['line that is not'])).toBe(false);
    expect(isBold(['FireDoorOpener', { isMono: true }])).toBe(false);
  });
});
