/** Finds tables with horizontal rules only, as in books: above and below the table, and below its head. */
import type { Box, Rule, Word } from '../page-model.js';
import { type Segment, segmentsOf } from '../words/rows.js';
import { gridOf, isTable, segmentRows, withoutHeadColumns } from './aligned-rows.js';
import { joinCenteredRows } from './centered-rows.js';
import { commonGaps, type Gap, gapsOf } from './gutters.js';
import { type Columns, withNarrowGutters } from './narrow-gutters.js';
import type { Table } from './table.js';
import { headOf, headRowsMax } from './table-head.js';
import { tableOf } from './table-of.js';

/** Rules of one table start and end at most this far apart. */
const sameExtentMax = 4;
/** A shorter rule is an underline, or separates a footnote. */
const widthMin = 60;
/** The rules of one table are closer than this share of the page. */
const rowsHeightMax = 0.75;
/** Gaps between cells are narrower than gaps between columns of a page. In multiples of the size. */
const cellGapEms = 0.7;
const gutterEms = 0.5;
/** A head names at least this share of the columns. */
const filledShareMin = 0.6;

export interface OpenTable {
  table: Table;
  words: ReadonlySet<Word>;
}

export function openTables(rules: readonly Rule[], words: readonly Word[], pageHeight: number): OpenTable[] {
  const tables: OpenTable[] = [];
  for (const group of sameExtents(rules)) {
    const box = {
      left: group[0]?.from ?? 0,
      right: group[0]?.to ?? 0,
      top: group[0]?.at ?? 0,
      bottom: group.at(-1)?.at ?? 0,
    };
    if (box.bottom - box.top > rowsHeightMax * pageHeight) continue;
    const found = openTable(box, group.length, words);
    if (found !== null) tables.push(found);
  }
  return tables;
}

/** Groups of two or more rules with the same ends, from top to bottom. */
function sameExtents(rules: readonly Rule[]): Rule[][] {
  const groups: Rule[][] = [];
  const wide = rules.filter(({ from, to }) => to - from >= widthMin);
  for (const rule of wide.sort((first, second) => first.from - second.from || first.to - second.to)) {
    const last = groups.at(-1)?.[0];
    if (last !== undefined && rule.from - last.from <= sameExtentMax && Math.abs(rule.to - last.to) <= sameExtentMax)
      groups.at(-1)?.push(rule);
    else groups.push([rule]);
  }
  for (const group of groups) group.sort((first, second) => first.at - second.at);
  return groups.filter((group) => group.length >= 2);
}

function openTable(box: Box, ruleCount: number, words: readonly Word[]): OpenTable | null {
  const beside = words.filter(({ left, right }) => {
    const x = (left + right) / 2;
    return x >= box.left - sameExtentMax && x <= box.right + sameExtentMax;
  });
  const inside = beside.filter(({ top, bottom }) => isWithin((top + bottom) / 2, box));
  const rows = joinCenteredRows(segmentRows(segmentsOf(inside, cellGapEms)));
  if (rows.length < 2) return null;
  const size = Math.max(...inside.map((word) => word.size));
  const gutters = withoutHeadColumns(rows, guttersOf(rows, box, gutterEms * size));
  if (gutters.length === 0) return null;
  const grid = gridOf(rows, gutters);
  // Two rules may be the edges of a text box. A third rule separates the head.
  const complete = grid.filter((row) => row.filter((cell) => cell.length > 0).length >= 2).length;
  if (complete < rows.length * (ruleCount >= 3 ? 0.5 : 0.7) || !isTable(grid, gutters)) return null;
  const columns = withNarrowGutters({ rows, gutters });
  const head = headAbove(columns, beside, box);
  const all = head.flatMap((row) => row.flatMap((segment) => segment.words));
  const whole = [...gridOf(head, columns.gutters), ...gridOf(columns.rows, columns.gutters)];
  return { table: tableOf(whole, columns.gutters), words: new Set([...all, ...inside]) };
}

function isWithin(y: number, { top, bottom }: Box): boolean {
  return y >= top && y <= bottom;
}

/** The names of columns that stand on the first rule. */
function headAbove({ rows, gutters }: Columns, words: readonly Word[], { left, right, top }: Box): Segment[][] {
  const [size] = rows.flat().map((segment) => segment.size);
  const near = words.filter(
    ({ baseline, top: y }) => baseline < top && (y + baseline) / 2 < top && y > top - headRowsMax * (size ?? 0) * 2,
  );
  const above = segmentRows(segmentsOf(near, cellGapEms)).slice(-headRowsMax);
  const [last] = above.at(-1) ?? [];
  if (last === undefined || top - last.bottom > last.size) return [];
  const head = headOf(rows, above, gutters, { from: left, to: right });
  const isNamed = head.some((row) => row.length >= (gutters.length + 1) * filledShareMin);
  return isNamed ? head : [];
}

/** The gaps that rows share. Rows of one segment, and the few rows that cross most gaps of the others, do not count. */
function guttersOf(rows: readonly (readonly Box[])[], box: Box, widthMinimum: number): Gap[] {
  let gutters: Gap[] | null = null;
  const several = rows.filter((row) => row.length >= 2).sort((first, second) => second.length - first.length);
  for (const row of several) {
    const gaps = gapsOf(row, box.left, box.right);
    const common: Gap[] = gutters === null ? gaps : commonGaps(gutters, gaps, widthMinimum);
    const inner = common.filter(({ from, to }) => from > box.left + 1 && to < box.right - 1);
    if (gutters === null || inner.length >= gutters.length * 0.6) gutters = inner;
  }
  return gutters ?? [];
}
