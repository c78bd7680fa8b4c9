/** Finds tables without rules: runs of rows whose segments share their gaps. */
import { boundsOf, type Segment } from '../words/rows.js';
import { hasLeader, segmentRows } from './aligned-rows.js';
import { joinCenteredRows } from './centered-rows.js';
import { headRowsMax } from './table-head.js';
import { type AlignedTable, TableRun } from './table-run.js';

/** The tables among the segments of one column of a page. */
export function alignedTables(segments: readonly Segment[]): AlignedTable[] {
  const bounds = boundsOf(segments);
  const rows = joinCenteredRows(segmentRows(segments));
  const runs: TableRun[] = [];
  let isOpen = false;
  for (const [index, row] of rows.entries()) {
    isOpen = isOpen && runs.at(-1)?.add(row, rows[index + 1]) === true;
    if (isOpen || row.length < 2) continue;
    runs.push(new TableRun(row, index, bounds));
    isOpen = true;
  }
  const isContents = segments.some(hasLeader);
  const tables: AlignedTable[] = [];
  let free = 0;
  for (const run of runs) {
    const found = run.table(rows.slice(Math.max(free, run.start - headRowsMax), run.start), isContents);
    if (found === null) continue;
    tables.push(found);
    free = run.start + run.length;
  }
  return tables;
}
