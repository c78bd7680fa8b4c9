/** Finds short lines below two columns, such as a heading, that fit into the width of one of them. */
import type { Box } from '../page-model.js';
import { boundsOf } from '../words/rows.js';

/** Columns that are balanced end at the same height, in multiples of the size. */
const levelMax = 0.5;
/** The text below is further from the columns than their lines are from each other, in multiples of the size. */
const gapMin = 0.8;
/** The text below continues on a line across both columns. It is nearer than this, in multiples of the size. */
const nextMax = 1.5;

/** Divides the longer of two columns at the end of the shorter one. Null if nothing is below both. `next` is the line across both. */
export function belowColumns<Item extends Box>(
  longer: readonly Item[],
  shorter: readonly Item[],
  next: Box,
  size: number,
): { beside: Item[]; below: Item[] } | null {
  const end = boundsOf(shorter).bottom;
  const isBeside = ({ bottom }: Item): boolean => bottom <= end + levelMax * size;
  const beside = longer.filter(isBeside);
  const below = longer.filter((item) => !isBeside(item));
  if (beside.length === 0 || below.length === 0) return null;
  const { top, bottom } = boundsOf(below);
  const isLevel = end - boundsOf(beside).bottom <= levelMax * size;
  return isLevel && top - end >= gapMin * size && next.top - bottom <= nextMax * size ? { beside, below } : null;
}
