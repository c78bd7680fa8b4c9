/**
 * Moves superscripts and subscripts that are far from the base line, such as the marks of footnotes, to the line whose text they follow.
 * Their height alone does not identify the line.
 */
import type { Box } from '../page-model.js';

/** Marks are smaller than their text by this factor at least. */
export const markSizeMax = 0.9;
/** A mark that is nearly as large as its text, as browsers and WeasyPrint set it, stands directly beside it, and away from other words. */
const largeMarkMin = 0.84;
const largeGapMax = 0.1;
/** Smaller text, in multiples of the size, is text beside an initial. */
const markSizeMin = 0.5;
/** Marks are raised or lowered by less than this, in multiples of the size of the text. Lines beside larger text are raised by more. */
const shiftMax = 0.6;
/** A mark is nearer to its text than this, in multiples of the size of the text. That is less than two spaces. */
const gapMax = 0.65;
/** The parts of one mark are nearer to each other, in multiples of their size. */
const partGapMax = 0.2;
/** The box of a slanted letter overlaps the mark behind it by less than this multiple of the size. */
const overlapMax = 0.2;

type Item = Box & { baseline: number; size: number };

/**
 * Moves marks to the row below or above, if they stand beside its text and beside no text of their own row. Rows are sorted from left to
 * right.
 */
export function joinShiftedMarks<One extends Item>(rows: readonly One[][]): One[][] {
  const added = rows.map((): One[] => []);
  const kept = rows.map((row, index) => {
    const raised = marksOf(row, rows[index + 1] ?? []);
    const lowered = marksOf(row, rows[index - 1] ?? []);
    return row.filter((item) => {
      const [toBelow, toAbove] = [raised.get(item) ?? Infinity, lowered.get(item) ?? Infinity];
      if (Math.min(toBelow, toAbove) === Infinity) return true;
      added[toBelow <= toAbove ? index + 1 : index - 1]?.push(item);
      return false;
    });
  });
  return kept
    .map((row, index) => [...row, ...(added[index] ?? [])].sort((first, second) => first.left - second.left))
    .filter((row) => row.length > 0);
}

/** The items of a row that mark the text of a row beside it, with the distance of the base lines. */
function marksOf<One extends Item>(row: readonly One[], beside: readonly One[]): ReadonlyMap<One, number> {
  const marks = new Map<One, number>();
  let next = 0;
  for (const [index, item] of row.entries()) {
    while ((beside[next]?.left ?? Infinity) < item.left) next++;
    const [before, after] = [row[index - 1], row[index + 1]];
    const partOf = before !== undefined && isPartOf(item, before) ? marks.get(before) : undefined;
    if (partOf !== undefined) marks.set(item, partOf);
    else if (isMarkOf(item, before) || isMarkOf(item, after)) continue;
    else {
      const isAlone = [before, after].every((one) => one === undefined || gapOf(item, one) >= gapMax * item.size);
      const text = [beside[next - 1], beside[next]].find(
        (one) => isMarkOf(item, one) && (isAlone || !isLargeMark(item, one)),
      );
      if (text !== undefined) marks.set(item, Math.abs(text.baseline - item.baseline));
    }
  }
  return marks;
}

function isPartOf(item: Item, before: Item): boolean {
  return before.size === item.size && item.left - before.right < partGapMax * item.size;
}

function isMarkOf(item: Item, text: Item | undefined): text is Item {
  if (text === undefined || item.size < text.size * markSizeMin || item.size > text.size * markSizeMax) return false;
  const gap = gapOf(item, text);
  const isNear = gap < (isLargeMark(item, text) ? largeGapMax : gapMax) * text.size && gap > -overlapMax * text.size;
  return isNear && Math.abs(text.baseline - item.baseline) <= shiftMax * text.size;
}

const isLargeMark = (mark: Item, text: Item): boolean => mark.size > text.size * largeMarkMin;

/** Negative where boxes overlap. */
const gapOf = (one: Box, other: Box): number => Math.max(one.left - other.right, other.left - one.right);
