/**
 * Finds where lines were wrapped. In a region, that is the right edge of its longest line, unless a stretch of it is set narrower: a
 * column below a head that runs across the page.
 */
import { boundsOf } from '../words/rows.js';
import type { TextLine } from './text-lines.js';

/** A line ends early if the next word, and this many sizes, would have fitted. Ragged lines are shorter for no other reason. */
const earlyEndSlack = 1.5;
/** Faces of one stretch differ less in size. */
const sameSizeMax = 0.06;
/** Paragraphs of one stretch are at most this far apart, in multiples of the size. */
const gapMax = 3.5;
/** Lines that are further apart, in multiples of the size, are of two paragraphs: double spacing is 2.4. */
const pitchMax = 2.5;
/** Lines of addresses and verses can have one length by chance: fewer than this, or than this share of them. */
const [wrappedMin, wrappedShareMin] = [3, 0.6];
/** Lines that an author has ended begin with capital letters. In prose, most do not, also in German. */
const capitalShareMax = 0.6;
/** Lines of prose have more letters, also in narrow columns; values, names and calls of functions have fewer. */
const lettersOfLineMin = 24;
/** The first lines of paragraphs are indented by less, in multiples of the size. */
const indentMax = 3;
/** Stretches of prose on a page with which short paragraphs are compared. */
const columnsMax = 50;

interface Stretch {
  lines: TextLine[];
  left: number;
  right: number;
  size: number;
}

/** The right edge at which each line was wrapped, if it was. */
export function wrapEdges(lines: readonly TextLine[]): ReadonlyMap<TextLine, number> {
  const region = boundsOf(lines);
  const stretches = stretchesOf(lines);
  const wrapped = new Set(stretches.filter(isWrapped));
  const columns = [...wrapped].slice(0, columnsMax);
  const edges = new Map<TextLine, number>();
  for (const stretch of stretches) {
    const edge = wrapped.has(stretch) ? stretch.right : (columnOf(stretch, columns)?.right ?? region.right);
    for (const line of stretch.lines) edges.set(line, edge);
  }
  return edges;
}

/** Whether a line ends before the edge, although the first word of the next line would have fitted. */
export function endsEarly(line: TextLine, next: TextLine, edge: number): boolean {
  const [word] = next.words;
  if (word === undefined) return false;
  return edge - line.right > word.right - word.left + earlyEndSlack * line.size;
}

function stretchesOf(lines: readonly TextLine[]): Stretch[] {
  const groups: TextLine[][] = [];
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (before !== undefined && areOfOneStretch(before, line)) groups.at(-1)?.push(line);
    else groups.push([line]);
  }
  return groups.map((group) => ({ lines: group, ...boundsOf(group), size: group[0]?.size ?? 0 }));
}

function areOfOneStretch(before: TextLine, line: TextLine): boolean {
  const pitch = line.baseline - before.baseline;
  return isSameSize(before, line) && before.isEntry === line.isEntry && pitch <= gapMax * line.size;
}

export function isSameSize(one: { size: number }, other: { size: number }): boolean {
  return Math.abs(one.size - other.size) <= Math.max(one.size, other.size) * sameSizeMax;
}

/** Whether most lines go on to the right edge, so that the next word began a new line because it did not fit. */
function isWrapped({ lines, right }: Stretch): boolean {
  const letters = lines.reduce((sum, { words }) => sum + words.reduce((count, { text }) => count + text.length, 0), 0);
  if (letters < lines.length * lettersOfLineMin) return false;
  let [pairs, wrapped, capitals] = [0, 0, 0];
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (next === undefined || line.isEntry || next.baseline - line.baseline > pitchMax * line.size) continue;
    pairs++;
    const [own, start] = [line.words[0]?.text, next.words[0]?.text ?? ''];
    // The entries of a list begin alike.
    if (own === start || endsEarly(line, next, right)) continue;
    wrapped++;
    if (/^\P{L}*\p{Lu}/u.test(start)) capitals++;
  }
  return wrapped >= wrappedMin && wrapped >= pairs * wrappedShareMin && capitals <= wrapped * capitalShareMax;
}

/** A wrapped stretch of the same column, into which the lines fit: a paragraph of two lines says little for itself. */
function columnOf({ left, right, size }: Stretch, columns: readonly Stretch[]): Stretch | undefined {
  return columns.find(
    (other) =>
      isSameSize(other, { size }) && Math.abs(other.left - left) <= indentMax * size && right <= other.right + 1,
  );
}
