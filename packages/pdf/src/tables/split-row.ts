/**
 * Divides the text of a row where other rows have a gutter. The longest text of a column may leave a narrower gap to the
 * next column than texts of a line do.
 */
import { boundsOf, segmentOf, type Segment } from '../words/rows.js';
import { columnsOf, commonGaps, type Gap } from './gutters.js';

/** A gap between cells is wider than a space, in multiples of the size. */
export const cellGapEms = 0.5;
/** The edges of a column's cells differ by less, in points. */
const sameEdgeMax = 2;
/** The parts are compared with this many rows. */
const rowsMax = 5;

/** The row, divided at gutters. The parts share an edge with a cell of their column in one of `others`. */
export function splitRow(
  row: readonly Segment[],
  gutters: readonly Gap[],
  others: readonly (readonly Segment[])[],
): Segment[] {
  return row.flatMap((segment) => {
    const parts = splitSegment(segment, (gap) => commonGaps(gutters, [gap], cellGapEms * segment.size).length > 0);
    return parts.slice(1).every((part) => isAligned(part, gutters, others)) ? parts : [segment];
  });
}

/** Divides a segment at the gaps between words that are wider than a space, and that `divides` accepts. */
export function splitSegment(segment: Segment, divides: (gap: Gap) => boolean): Segment[] {
  const parts: Segment['words'][] = [[]];
  let right = Infinity;
  for (const word of segment.words) {
    const gap = { from: right, to: word.left };
    if (gap.to - gap.from > cellGapEms * word.size && divides(gap)) parts.push([]);
    parts.at(-1)?.push(word);
    right = word.right;
  }
  return parts.length === 1 ? [segment] : parts.map(segmentOf);
}

function isAligned(part: Segment, gutters: readonly Gap[], others: readonly (readonly Segment[])[]): boolean {
  const [column] = columnsOf(gutters, part);
  return others.slice(-rowsMax).some((row) => {
    const cells = row.filter((cell) => columnsOf(gutters, cell)[0] === column);
    const { left, right } = boundsOf(cells);
    return Math.abs(left - part.left) < sameEdgeMax || Math.abs(right - part.right) < sameEdgeMax;
  });
}
