/**
 * Moves superscripts that are raised far, such as the marks of footnotes, to the line whose text they follow. Their
 * height alone does not identify the line.
 */
import type { Box } from '../page-model.js';

/** Marks are smaller than their text by this factor at least. */
export const markSizeMax = 0.8;
/** Smaller text, in multiples of the size, is text beside an initial. */
const markSizeMin = 0.5;
/** Marks are raised by less than this, in multiples of the size of the text. Lines beside larger text are raised by more. */
const raisedMax = 0.6;
/** A mark is nearer to its text than this, in multiples of the size of the text. That is less than two spaces. */
const gapMax = 0.65;
/** The parts of one mark are nearer to each other, in multiples of their size. */
const partGapMax = 0.2;
/** The box of a slanted letter overlaps the mark behind it by less than this multiple of the size. */
const overlapMax = 0.2;

type Item = Box & { baseline: number; size: number };

/** Moves marks to the row below, if they stand beside its text and beside no text of their own row. Rows are sorted from left to right. */
export function lowerRaisedMarks<One extends Item>(rows: readonly One[][]): One[][] {
  const lowered = rows.map((row) => row);
  for (const [index, row] of rows.entries()) {
    const below = rows[index + 1];
    const marks = below === undefined ? new Set<One>() : marksOf(row, below);
    if (below === undefined || marks.size === 0) continue;
    lowered[index] = (lowered[index] ?? []).filter((item) => !marks.has(item));
    lowered[index + 1] = [...below, ...marks].sort((first, second) => first.left - second.left);
  }
  return lowered.filter((row) => row.length > 0);
}

/** The items of a row that mark the text of the row below. */
function marksOf<One extends Item>(row: readonly One[], below: readonly One[]): Set<One> {
  const marks = new Set<One>();
  let next = 0;
  for (const [index, item] of row.entries()) {
    while ((below[next]?.left ?? Infinity) < item.left) next++;
    const [before, after] = [row[index - 1], row[index + 1]];
    const isPart =
      before !== undefined &&
      marks.has(before) &&
      before.size === item.size &&
      item.left - before.right < partGapMax * item.size;
    if (isPart) marks.add(item);
    else if (isMarkOf(item, before) || isMarkOf(item, after)) continue;
    else if (isMarkOf(item, below[next - 1]) || isMarkOf(item, below[next])) marks.add(item);
  }
  return marks;
}

function isMarkOf(item: Item, text: Item | undefined): boolean {
  if (text === undefined || item.size < text.size * markSizeMin || item.size > text.size * markSizeMax) return false;
  const gap = Math.max(item.left - text.right, text.left - item.right);
  const distance = Math.abs(text.baseline - item.baseline);
  return gap < gapMax * text.size && gap > -overlapMax * text.size && distance <= raisedMax * text.size;
}
