/**
 * Puts the letters of Arabic ligatures in order. pdfium reverses the characters of lines that are drawn from left to
 * right, even the characters of one glyph: ل and ا become ال.
 */
import type { Glyph } from './glyph.js';

const rightToLeftLetter = /[\u0590-\u08FF]/;
const lam = 'ل';
/** In most fonts, a lam and one of these letters form one glyph. No font has a glyph for the opposite order. */
const alefs = 'اأإآٱ';

interface Ligature {
  from: number;
  /** The end is exclusive. */
  to: number;
}

export function withOrderedLigatures(glyphs: readonly Glyph[]): readonly Glyph[] {
  const ligatures = ligaturesOf(glyphs);
  if (!areReversed(glyphs, ligatures)) return glyphs;
  const ordered = [...glyphs];
  for (const { from, to } of ligatures)
    for (let index = from; index < to; index++) ordered[index] = glyphs[from + to - 1 - index] as Glyph;
  return ordered;
}

/** Right-to-left letters that follow each other at the same place. */
function ligaturesOf(glyphs: readonly Glyph[]): Ligature[] {
  const found: Ligature[] = [];
  let from = 0;
  for (let index = 1; index <= glyphs.length; index++) {
    if (index < glyphs.length && areOfOneGlyph(glyphs[from], glyphs[index])) continue;
    if (index - from > 1) found.push({ from, to: index });
    from = index;
  }
  return found;
}

function areOfOneGlyph(first: Glyph | undefined, other: Glyph | undefined): boolean {
  return (
    first?.run != null &&
    first.run === other?.run &&
    first.left === other.left &&
    first.right === other.right &&
    rightToLeftLetter.test(first.text) &&
    rightToLeftLetter.test(other.text)
  );
}

/** Whether most ligatures of known order are reversed. */
function areReversed(glyphs: readonly Glyph[], ligatures: readonly Ligature[]): boolean {
  let [reversed, right] = [0, 0];
  for (const { from, to } of ligatures) {
    const [first, last] = [glyphs[from]?.text ?? '', glyphs[to - 1]?.text ?? ''];
    if (alefs.includes(first) && last === lam) reversed++;
    if (first === lam && alefs.includes(last)) right++;
  }
  return reversed > right;
}
