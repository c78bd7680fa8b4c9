/**
 * Finds the right edge at which lines were wrapped. Usually the longest line of a region shows it. A stretch can be
 * narrower: a column below a head that runs across the page.
 */
import type { Box } from '../page-model.js';
import { boundsOf } from '../words/rows.js';
import type { TextLine } from './text-lines.js';

/** A line ends early if the next word, and this many sizes more, would have fitted. Ragged lines have no other reason to be shorter. */
const earlyEndSlack = 1.5;
/** The sizes of faces in one stretch differ by less than this. */
const sameSizeMax = 0.06;
/** Paragraphs of one stretch are at most this far apart, in multiples of the size. */
const gapMax = 3.5;
/** Lines that are further apart, in multiples of the size, belong to two paragraphs. Double spacing is 2.4. */
const pitchMax = 2.5;
/**
 * Lines of one length count as wrapped from this number and this share on. Fewer lines of addresses or verses can have
 * one length by chance.
 */
const [wrappedMin, wrappedShareMin] = [3, 0.6];
/** Lines that an author has ended mostly begin with capital letters. In prose most lines do not, in German either. */
const capitalShareMax = 0.6;
/**
 * Lines of prose have more letters than this, in narrow columns too. Values, names and calls of functions have fewer.
 */
const lettersOfLineMin = 24;
/** The first lines of paragraphs are indented by less, in multiples of the size. */
const indentMax = 3;
/** Short paragraphs are compared with this many stretches of prose on a page. */
const columnsMax = 50;

interface Stretch {
  lines: TextLine[];
  left: number;
  right: number;
  size: number;
}

/** The right edge at which each line was wrapped. Null if it was not. */
export function wrapEdges(lines: readonly TextLine[]): ReadonlyMap<TextLine, number> {
  const region = boundsOf(lines);
  const stretches = stretchesOf(lines);
  const wrapped = new Set(stretches.filter(isWrapped));
  const columns = [...wrapped].slice(0, columnsMax);
  const edges = new Map<TextLine, number>();
  for (const stretch of stretches) {
    const edge = wrapped.has(stretch) ? stretch.right : (columnOf(stretch, columns)?.right ?? edgeOf(stretch, region));
    for (const line of stretch.lines) edges.set(line, edge);
  }
  return edges;
}

/** The edge of the region. Values, names and addresses were not wrapped: their lines are short, and begin like sentences. */
function edgeOf({ lines }: Stretch, region: Box): number {
  const areShort = lettersOf(lines) < lines.length * lettersOfLineMin;
  return areShort && lines.every(({ words: [first] }) => /^\P{L}*\p{Lu}|[\p{N}@]/u.test(first?.text ?? ''))
    ? Infinity
    : region.right;
}

function lettersOf(lines: readonly TextLine[]): number {
  return lines.reduce((sum, { words }) => sum + words.reduce((count, { text }) => count + text.length, 0), 0);
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

/** Whether most lines reach the right edge. Then the next word began a new line because it did not fit. */
function isWrapped({ lines, right }: Stretch): boolean {
  if (lettersOf(lines) < lines.length * lettersOfLineMin) return false;
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

/** A wrapped stretch of the same column into which the lines fit. A paragraph of two lines shows little alone. */
function columnOf({ left, right, size }: Stretch, columns: readonly Stretch[]): Stretch | undefined {
  return columns.find(
    (other) =>
      isSameSize(other, { size }) && Math.abs(other.left - left) <= indentMax * size && right <= other.right + 1,
  );
}
