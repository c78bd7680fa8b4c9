import { describe, expect, it } from '@jest/globals';
import type { Glyph, GlyphRun } from './glyph.js';
import { Frame, mainRotation, nearestRightAngle } from './upright.js';
import { wordsOf } from './words-of.js';

const style = { font: 'Text', isBold: false, isItalic: false, isMono: false };
const page = { left: 0, top: 800, right: 600, bottom: 0 };
const run = (originY: number, size = 10, rotation: GlyphRun['rotation'] = 0): GlyphRun => ({
  rotation,
  size,
  originX: 0,
  originY,
  style,
  contentId: -1,
  isUnmapped: false,
  glyphs: 0,
});
const glyph = (text: string, left: number, right: number, of: GlyphRun): Glyph => ({
  text,
  isLineEnd: false,
  left,
  right,
  top: of.originY + 8,
  bottom: of.originY - 2,
  run: of,
});
const space: Glyph = { text: ' ', isLineEnd: false, left: 0, top: 0, right: 0, bottom: 0, run: null };
const words = (glyphs: Glyph[]): string[] => wordsOf(glyphs, new Frame(page, 0), 0).words.map(({ text }) => text);

describe('wordsOf', () => {
  const line = run(700);

  it('divides at spaces, and at gaps of fonts that write none', () => {
    expect(words([glyph('a', 0, 5, line), space, glyph('b', 8, 13, line)])).toStrictEqual(['a', 'b']);
    expect(words([glyph('a', 0, 5, line), glyph('b', 8, 13, line)])).toStrictEqual(['a', 'b']);
  });

  it('joins over kerning, also where a space was seen in it', () => {
    expect(words([glyph('A', 0, 5, line), glyph('V', 6, 11, line)])).toStrictEqual(['AV']);
    expect(words([glyph('A', 0, 5, line), space, glyph('V', 5.2, 10, line)])).toStrictEqual(['AV']);
  });

  it('keeps the letters of a ligature, which have the same place', () => {
    expect(words([glyph('f', 0, 6, line), glyph('i', 0, 6, line), glyph('t', 6, 9, line)])).toStrictEqual(['fit']);
  });

  it('joins a ligature whose letters are given their own widths with the rest of its word', () => {
    const ligature = [glyph('f', 0, 3, line), glyph('i', 0, 2.5, line)];
    expect(words([...ligature, glyph('v', 5.7, 11, line), glyph('e', 11, 16, line)])).toStrictEqual(['five']);
    expect(words([...ligature, space, glyph('v', 8.7, 14, line)])).toStrictEqual(['fi', 'v']);
  });

  it('joins letters that run to the left', () => {
    expect(words([glyph('ש', 20, 25, line), glyph('ל', 15, 20, line), space, glyph('ע', 5, 10, line)])).toStrictEqual([
      'של',
      'ע',
    ]);
  });

  it('puts the letters of Arabic ligatures in order where pdfium has reversed them', () => {
    const reversed = [glyph('ا', 10, 17, line), glyph('ل', 10, 17, line)];
    expect(words([glyph('س', 17, 24, line), ...reversed, glyph('م', 4, 10, line)])).toStrictEqual(['سلام']);
    expect(words([glyph('س', 17, 24, line), ...reversed.toReversed(), glyph('م', 4, 10, line)])).toStrictEqual(['سلام']);
    // A letter with its own place is a glyph of its own.
    expect(words([glyph('ا', 14, 17, line), glyph('ل', 10, 14, line), glyph('م', 4, 10, line)])).toStrictEqual(['الم']);
  });

  it('writes a mark after the letter that it stands over, wherever the file has it', () => {
    const [first, base, last] = [glyph('ي', 20, 24, line), glyph('ض', 10, 20, line), glyph('ا', 7, 10, line)];
    const sign = glyph('\u064B', 14, 14, run(703));
    expect(words([first, space, sign, base, last])).toStrictEqual(['يض\u064Bا']);
    expect(words([first, base, sign, last])).toStrictEqual(['يض\u064Bا']);
  });

  it('divides a name in another script from the right-to-left word after it, not from the prefix before it', () => {
    const name = [glyph('P', 10, 15, line), glyph('D', 15, 20, line), glyph('F', 20, 25, line)];
    expect(words([...name, glyph('מ', 5, 10, line), glyph('ן', 0, 5, line)])).toStrictEqual(['PDF', 'מן']);
    expect(words([glyph('ה', 25, 30, line), glyph('P', 20, 25, line)])).toStrictEqual(['הP']);
  });

  it('glues a superscript to its word', () => {
    const found = wordsOf([glyph('x', 0, 5, line), glyph('2', 5, 8, run(703, 6))], new Frame(page, 0), 0).words;
    expect(found.map(({ text, isGlued }) => [text, isGlued])).toStrictEqual([
      ['x', false],
      ['2', true],
    ]);
  });

  it('leaves out what is outside of the page', () => {
    expect(words([glyph('a', 0, 5, line), space, glyph('b', 700, 705, line)])).toStrictEqual(['a']);
  });

  it('keeps text that is turned against the page as lines', () => {
    const turned = run(300, 10, 90);
    const { turned: lines } = wordsOf(
      [glyph('a', 0, 5, line), glyph('u', 50, 60, turned), glyph('p', 50, 60, turned)],
      new Frame(page, 0),
      0,
    );
    expect(lines.map(({ text }) => text)).toStrictEqual(['up']);
  });
});

describe('mainRotation', () => {
  it('is the direction of most glyphs, and small deviations do not count', () => {
    expect(nearestRightAngle(91)).toBe(90);
    expect(nearestRightAngle(-90)).toBe(270);
    expect(nearestRightAngle(45)).toBeNull();
    expect(
      mainRotation([
        { ...run(0), glyphs: 3 },
        { ...run(0, 10, 90), glyphs: 9 },
        { ...run(0, 10, null), glyphs: 99 },
      ]),
    ).toBe(90);
  });
});

describe('Frame', () => {
  it.each([
    [0, 10, 790, { x: 10, y: 10 }],
    [90, 10, 20, { x: 20, y: 10 }],
    [180, 590, 20, { x: 10, y: 20 }],
    [270, 590, 790, { x: 10, y: 10 }],
  ] as const)('of text that is turned by %d degrees begins where that text begins', (rotation, x, y, expected) => {
    expect(new Frame(page, rotation).point(x, y)).toStrictEqual(expected);
  });
});
