import type { Box, Word } from '../page-model.js';
import { boundsOf, rowsOf, type Segment } from '../words/rows.js';

export interface TextLine extends Box {
  words: Word[];
  baseline: number;
  size: number;
  isBold: boolean;
  isItalic: boolean;
  isMono: boolean;
  /** The font of most letters. Null if many letters have other fonts. */
  face: string | null;
  /** Whether the line is an entry of a table of contents. A page number is at its end, behind a gap or dots. */
  isEntry: boolean;
  /** The left edge of a part that stands far from the rest, such as a date on the right of a name. */
  spreadLeft: number | null;
}

/** A gap in justified text is narrower, in multiples of the size. */
const spreadGapEms = 3;

const pageAtEnd = /(?:\.\s?){3,}\s*(?:\d{1,4}|[ivxlc]{1,6})$/;
const page = /^(?:\.\s?)*(?:\d{1,4}|[ivxlc]{1,6})$/;

/** The lines of a region, from top to bottom. */
export function linesOf(segments: readonly Segment[]): TextLine[] {
  return rowsOf(segments).map(lineOf);
}

function lineOf(row: readonly Segment[]): TextLine {
  const words = row.flatMap((segment) => segment.words);
  const main = row.reduce((longest, segment) => (segment.letters > longest.letters ? segment : longest));
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const count = (is: (word: Word) => boolean): number =>
    words.reduce((sum, word) => (is(word) ? sum + word.text.length : sum), 0);
  const bold = count(({ style }) => style.isBold);
  return {
    words,
    ...boundsOf(row),
    baseline: main.baseline,
    size: main.size,
    // Numbers and bullets before a heading are often in another face. So are names of code, if their face has no bold.
    isBold: bold > 0 && bold >= (letters - count(({ style }) => style.isMono && !style.isBold)) * 0.8,
    isItalic: count(({ style }) => style.isItalic) >= letters * 0.8,
    isMono: count(({ style }) => style.isMono) >= letters * 0.9,
    face: faceOf(words, letters),
    isEntry: isEntry(row),
    spreadLeft: spreadLeftOf(row),
  };
}

function spreadLeftOf(row: readonly Segment[]): number | null {
  // In a justified line, all gaps are wide.
  if (row.length > 2 && row.every(({ words }) => words.length === 1)) return null;
  const isFar = ({ left, size }: Segment, index: number): boolean =>
    left - (row[index - 1]?.right ?? left) > spreadGapEms * size;
  return row.findLast(isFar)?.left ?? null;
}

/** Only one font can have a majority of the letters, so one count finds it (Boyer and Moore, 1981). */
function faceOf(words: readonly Word[], letters: number): string | null {
  let [face, lead] = ['', 0];
  for (const { style, text } of words)
    if (style.font === face) lead += text.length;
    else if (lead >= text.length) lead -= text.length;
    else [face, lead] = [style.font, text.length - lead];
  const own = words.reduce((sum, { style, text }) => (style.font === face ? sum + text.length : sum), 0);
  return own >= letters * 0.8 ? face : null;
}

function isEntry(row: readonly Segment[]): boolean {
  const last =
    row
      .at(-1)
      ?.words.map(({ text }) => text)
      .join(' ') ?? '';
  return pageAtEnd.test(last) || (row.length > 1 && page.test(last));
}
