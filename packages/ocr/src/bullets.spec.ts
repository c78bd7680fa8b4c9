import { describe, expect, it } from '@jest/globals';
import { withBullets } from './bullets.js';
import type { Shape } from './letter-shapes.js';
import type { RecognizedLine } from './recognized-words.js';

/** Words of ten pixels for each letter, in a font of 20 pixels. */
function line(text: string, baseline: number, start = 50): RecognizedLine {
  let left = start;
  const words = text.split(' ').map((word) => {
    const right = left + word.length * 10;
    const found = { text: word, confidence: 50, left, top: baseline - 14, right, bottom: baseline };
    left = right + 6;
    return found;
  });
  return { words, baseline, size: 20, weight: 0.1 };
}
/** A disc of six pixels, in the middle of the height of an `x`. */
const disc = (left: number, baseline: number): Shape => ({
  left,
  top: baseline - 8,
  right: left + 6,
  bottom: baseline - 2,
  ink: 29,
});
const texts = (lines: readonly RecognizedLine[]): string[] =>
  lines.map(({ words }) => words.map(({ text }) => text).join(' '));

describe('withBullets', () => {
  const items = [line('count the boxes', 100), line('look for cracks', 130)];
  const discs = [disc(34, 100), disc(34, 130)];

  it('begins the items of a list with their bullets', () => {
    expect(texts(withBullets(items, discs))).toStrictEqual(['• count the boxes', '• look for cracks']);
  });

  it('replaces what was read into a bullet', () => {
    const read = [line('e count', 100, 32), line('* look', 130, 32)];
    expect(texts(withBullets(read, discs))).toStrictEqual(['• count', '• look']);
  });

  it('leaves a single speck alone, and dots that do not stand below each other', () => {
    expect(texts(withBullets(items, [disc(34, 100)]))).toStrictEqual(texts(items));
    expect(texts(withBullets(items, [disc(34, 100), disc(20, 130)]))).toStrictEqual(texts(items));
  });

  it('leaves full stops, rings and dots between words alone', () => {
    const stops = discs.map((shape) => ({ ...shape, top: shape.top + 5, bottom: shape.bottom + 5 }));
    const rings = discs.map((shape) => ({ ...shape, ink: 16 }));
    for (const shapes of [stops, rings]) expect(texts(withBullets(items, shapes))).toStrictEqual(texts(items));
    const names = [100, 130].flatMap((baseline) => [line('Kilns', baseline, -28), line('Clay', baseline)]);
    expect(texts(withBullets(names, discs))).toStrictEqual(texts(names));
  });
});
