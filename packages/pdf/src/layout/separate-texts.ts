/**
 * Recognizes two short texts beside each other, such as an address and the data of a letter. Their lines are spaced
 * differently. The cells of a row share their base line, or differ by the same distance in all rows.
 */
import { boundsOf, rowsOf, type Segment } from '../words/rows.js';

const linesMin = 3;
/** Longer texts are recognized by their letters. */
const linesMax = 30;
/** The base lines of rows differ by less, in multiples of the size. */
const sameDistanceEms = 0.1;
/** In a table, at least this share of the rows has the same distance. */
const sharedMin = 0.6;
/** Lines of a text are closer than labels in a drawing: they cover at least this share of the height. */
const coveredShareMin = 0.5;
/** Lines of one text are closer, in multiples of the size. */
const pitchMax = 2.5;

export interface SeparateTexts {
  above: Segment[];
  left: Segment[];
  right: Segment[];
  below: Segment[];
}

/** The two texts, and what is above and below them. Null if the lines of both sides belong together. */
export function separateTexts(left: readonly Segment[], right: readonly Segment[]): SeparateTexts | null {
  if (left.length > linesMax || right.length > linesMax) return null;
  const [one, other] = [boundsOf(left), boundsOf(right)];
  const beside = { top: Math.max(one.top, other.top), bottom: Math.min(one.bottom, other.bottom) };
  const [first, second] = [textBeside(left, beside), textBeside(right, beside)];
  if (!isText(first.beside) || !isText(second.beside) || areRows(first.beside, second.beside)) return null;
  return {
    above: [...first.above, ...second.above],
    left: first.text,
    right: second.text,
    below: [...first.below, ...second.below],
  };
}

interface Side {
  beside: Segment[][];
  above: Segment[];
  text: Segment[];
  below: Segment[];
}

/** The lines beside the other text, with those that follow them closely. */
function textBeside(segments: readonly Segment[], { top, bottom }: Pick<Segment, 'top' | 'bottom'>): Side {
  const rows = rowsOf(segments);
  const isBeside = (row: readonly Segment[]): boolean => row.some((line) => line.bottom > top && line.top < bottom);
  let [from, to] = [rows.findIndex(isBeside), rows.findLastIndex(isBeside) + 1];
  const beside = rows.slice(Math.max(from, 0), to);
  while (from > 0 && areClose(rows[from - 1], rows[from])) from--;
  while (to < rows.length && areClose(rows[to - 1], rows[to])) to++;
  return {
    beside,
    above: rows.slice(0, Math.max(from, 0)).flat(),
    text: rows.slice(Math.max(from, 0), to).flat(),
    below: rows.slice(to).flat(),
  };
}

function areClose([above]: readonly Segment[] = [], [below]: readonly Segment[] = []): boolean {
  if (above === undefined || below === undefined) return false;
  return below.baseline - above.baseline < pitchMax * Math.max(above.size, below.size);
}

/** Whether most lines have the same distance to the nearest line of the other side. */
function areRows(lines: readonly Segment[][], others: readonly Segment[][]): boolean {
  const distances = lines
    .map(([line]) => distanceTo(others, line?.baseline ?? 0))
    .sort((first, second) => first - second);
  const range = sameDistanceEms * (lines[0]?.[0]?.size ?? 0);
  const alike = distances.map((from) => distances.filter((to) => to >= from && to - from <= range).length);
  return Math.max(...alike) >= lines.length * sharedMin;
}

/** Whether lines are close, and have more letters than digits. */
function isText(rows: readonly Segment[][]): boolean {
  if (rows.length < linesMin) return false;
  const { top, bottom } = boundsOf(rows.flat());
  const covered = rows.reduce((sum, row) => sum + boundsOf(row).bottom - boundsOf(row).top, 0);
  const text = rows.flatMap((row) => row.flatMap(({ words }) => words.map((word) => word.text))).join('');
  const count = (kind: RegExp): number => text.match(kind)?.length ?? 0;
  return covered >= (bottom - top) * coveredShareMin && count(/\p{L}/gu) > count(/\p{N}/gu);
}

/** The distance to the nearest row. */
function distanceTo(rows: readonly Segment[][], baseline: number): number {
  const distances = rows.map(([segment]) => (segment?.baseline ?? Infinity) - baseline);
  return distances.reduce(
    (nearest, distance) => (Math.abs(distance) < Math.abs(nearest) ? distance : nearest),
    Infinity,
  );
}
