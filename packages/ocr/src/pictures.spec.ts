import { describe, expect, it } from '@jest/globals';
import { drawnBitmap, linesOfText, rowsOfBitmap } from './fixtures/ink-art.js';
import { findRules, withoutRules } from './bitmap-rules.js';
import { evenBackground } from './even-background.js';
import { type GreyBitmap, turnedBitmap } from './grey-bitmap.js';
import { inkOf } from './ink.js';
import { leftOutBoxes } from './left-out.js';
import { shapesOf } from './letter-shapes.js';
import { withoutLightText } from './light-text.js';
import { hasLines, sharpnessOf, skewOf, straightened } from './skew.js';
import { mayHoldText, textSize } from './text-size.js';

/** The picture with a change of each pixel. */
const changed = (bitmap: GreyBitmap, change: (pixel: number, x: number, y: number) => number): GreyBitmap => ({
  ...bitmap,
  pixels: bitmap.pixels.map((pixel, index) => change(pixel, index % bitmap.width, Math.floor(index / bitmap.width))),
});

describe('turnedBitmap', () => {
  it('rotates clockwise', () => {
    const picture = drawnBitmap(['##.', '...']);
    expect(rowsOfBitmap(turnedBitmap(picture, 90))).toStrictEqual(['.#', '.#', '..']);
    expect(rowsOfBitmap(turnedBitmap(picture, 180))).toStrictEqual(['...', '.##']);
    expect(rowsOfBitmap(turnedBitmap(picture, 270))).toStrictEqual(['..', '#.', '#.']);
  });
});

describe('rules', () => {
  const letterAndLines = [
    '..#.#...........',
    '..#.#...........',
    '################',
    '..#.#...........',
    '..#.#...........',
    '....#...........',
    '....#...........',
    '....#...........',
  ];
  const picture = drawnBitmap(letterAndLines);
  const rules = findRules(inkOf(picture), { lengthMin: 6, thicknessMax: 2 });

  it('are long thin lines of both directions', () => {
    expect(rules).toStrictEqual([
      { isHorizontal: true, from: 0, to: 16, start: 2, end: 3 },
      { isHorizontal: false, from: 0, to: 8, start: 4, end: 5 },
    ]);
  });

  it('are removed with their crossing, and a letter that they cross is not', () => {
    const rows = rowsOfBitmap(withoutRules(picture, inkOf(picture), rules));
    const letter = ['..#.............', '..#.............'];
    expect(rows.slice(0, 5)).toStrictEqual([...letter, '..#.............', ...letter]);
    expect(rows.slice(5).join('')).not.toContain('#');
  });

  it('are no areas', () => {
    const area = drawnBitmap(Array.from({ length: 8 }, () => '########'));
    expect(findRules({ ...area, pixels: area.pixels.map(() => 1) }, { lengthMin: 6, thicknessMax: 2 })).toStrictEqual(
      [],
    );
  });
});

describe('evenBackground', () => {
  const text = linesOfText(120, 60);

  it('makes colored and shaded paper white, and leaves the text dark', () => {
    const shaded = changed(text, (pixel, x) => (pixel === 0 ? 20 : 130 + x));
    expect(rowsOfBitmap(evenBackground(shaded, 4))).toStrictEqual(rowsOfBitmap(text));
    expect(evenBackground(shaded, 4).pixels[0]).toBeGreaterThan(240);
  });

  it('does not change white paper', () => {
    expect(evenBackground(text, 4)).toBe(text);
  });
});

describe('withoutLightText', () => {
  it('inverts dark areas, and nothing else', () => {
    const text = linesOfText(240, 120);
    const inverted = changed(text, (pixel, _x, y) => (y < 48 ? 255 - pixel : pixel));
    // A few strokes, so that the area stays dark.
    const dark = changed(inverted, (pixel, x, y) => (y < 48 && x % 20 > 4 ? 0 : pixel));
    const rows = rowsOfBitmap(withoutLightText(dark, 96));
    expect(rows[0]).toBe(rowsOfBitmap(changed(dark, (pixel) => 255 - pixel))[0]);
    expect(rows.slice(48)).toStrictEqual(rowsOfBitmap(text).slice(48));
  });

  it('does not invert paper in a shadow', () => {
    const shadow = changed(linesOfText(240, 120), (pixel) => (pixel === 0 ? 5 : 105));
    expect(withoutLightText(shadow, 96)).toStrictEqual(shadow);
  });
});

describe('the direction of lines', () => {
  const text = linesOfText(400, 300);

  it('shows in how much rows stand out', () => {
    const lying = turnedBitmap(text, 90);
    expect(sharpnessOf(inkOf(text))).toBeGreaterThan(3 * sharpnessOf(inkOf(lying)));
    expect([hasLines(inkOf(text)), hasLines(inkOf(lying))]).toStrictEqual([true, true]);
  });

  it.each([-3, -1, 1.5, 4])('is found when paper was fed askew by %d degrees, and straightened', (degrees) => {
    const askew = straightened(text, -degrees);
    const found = skewOf(inkOf(askew));
    expect(Math.abs(found - degrees)).toBeLessThan(0.35);
    expect(skewOf(inkOf(straightened(askew, found)))).toBe(0);
  });

  it('is not changed for straight text', () => {
    expect(skewOf(inkOf(text))).toBe(0);
  });
});

describe('shapes', () => {
  it('are connected areas, also by corners and around a hole', () => {
    const shapes = shapesOf(inkOf(drawnBitmap(['#...###', '.#..#.#', '....###', '#......'])));
    expect(shapes).toStrictEqual([
      { left: 0, top: 0, right: 2, bottom: 2, ink: 2 },
      { left: 4, top: 0, right: 7, bottom: 3, ink: 8 },
      { left: 0, top: 3, right: 1, bottom: 4, ink: 1 },
    ]);
  });

  it('of letters show the size of a text; an empty page has none', () => {
    const text = inkOf(linesOfText(200, 120));
    expect(textSize(text)).toBeCloseTo(6 / 0.55, 1);
    expect(mayHoldText(text)).toBe(true);
    const empty = { width: 50, height: 50, pixels: new Uint8Array(2500) };
    expect([textSize(empty), mayHoldText(empty)]).toStrictEqual([null, false]);
  });

  it('that lie in no word are boxes to be read, joined where they stand beside each other', () => {
    const letter = (left: number, top: number) => ({ left, top, right: left + 8, bottom: top + 12, ink: 40 });
    const word = { text: 'read', confidence: 90, left: 0, top: 0, right: 60, bottom: 14 };
    const speck = { left: 300, top: 0, right: 302, bottom: 2, ink: 4 };
    const shapes = [letter(10, 1), letter(200, 40), letter(100, 40), letter(112, 41), speck];
    expect(leftOutBoxes(shapes, [{ words: [word], baseline: 12, size: 16, weight: 0.1 }], 16)).toStrictEqual([
      { left: 100, top: 40, right: 120, bottom: 53 },
      { left: 200, top: 40, right: 208, bottom: 52 },
    ]);
  });
});
