/**
 * Joins the lines of rows whose cells are centered on one axis: an amount stands beside the middle of a text of several
 * lines. Browsers center cells unless an author says otherwise.
 */
import { boundsOf, largestSize, type Segment } from '../words/rows.js';

/** Lines of a row are closer than rows, in multiples of the size. */
const linePitchMax = 1.4;
/** The middles of the cells of a row differ by less, in multiples of the size. */
const sameMiddleEms = 0.3;
/** Cells are further apart, in multiples of the size. */
const cellGapEms = 0.5;
/** Words of one line, such as a mark and its text, are closer than lines, in multiples of the size. */
const sameLineMax = 0.8;
/** A row with more lines is a column of text. */
const linesMax = 24;

/** The rows, in which a cell of several lines is one segment. */
export function joinCenteredRows(rows: readonly Segment[][]): Segment[][] {
  const joined: Segment[][] = [];
  let group: Segment[][] = [];
  for (const row of rows) {
    const [before, first] = [group.at(-1)?.[0], row[0]];
    const isClose =
      before !== undefined &&
      first !== undefined &&
      first.baseline - before.baseline < linePitchMax * Math.max(first.size, before.size);
    if (!isClose) {
      joined.push(...rowsOfGroup(group));
      group = [];
    }
    group.push(row);
  }
  return [...joined, ...rowsOfGroup(group)];
}

function rowsOfGroup(rows: readonly Segment[][]): readonly Segment[][] {
  if (rows.length < 2 || rows.length > linesMax) return rows;
  const cells = cellsOf(rows.flat());
  const [axis = 0, ...others] = cells.map(middleOf);
  const size = largestSize(cells);
  const lines = new Set(cells.map((cell) => linesOf(cell)));
  const isRow = lines.size > 1 && others.every((middle) => Math.abs(middle - axis) < sameMiddleEms * size);
  return isRow ? [cells] : rows;
}

/** Segments that are above each other, as one. From left to right. */
function cellsOf(segments: readonly Segment[]): Segment[] {
  const cells: Segment[][] = [];
  let right = -Infinity;
  for (const segment of segments.toSorted((first, second) => first.left - second.left)) {
    const cell = cells.at(-1);
    if (cell === undefined || segment.left - right > cellGapEms * segment.size) cells.push([segment]);
    else cell.push(segment);
    right = Math.max(right, segment.right);
  }
  return cells.map((cell) => {
    const sorted = cell.toSorted((first, second) => first.baseline - second.baseline);
    const { baseline = 0, size = 0 } = sorted.at(-1) ?? {};
    const letters = cell.reduce((sum, segment) => sum + segment.letters, 0);
    return { words: sorted.flatMap(({ words }) => words), ...boundsOf(cell), baseline, size, letters };
  });
}

const baselinesOf = ({ words }: Segment): number[] =>
  words.map(({ baseline }) => baseline).sort((first, second) => first - second);

function middleOf(cell: Segment): number {
  const baselines = baselinesOf(cell);
  return ((baselines[0] ?? 0) + (baselines.at(-1) ?? 0)) / 2;
}

function linesOf(cell: Segment): number {
  const baselines = baselinesOf(cell);
  return baselines.filter((baseline, index) => baseline - (baselines[index - 1] ?? -Infinity) > cell.size * sameLineMax)
    .length;
}
