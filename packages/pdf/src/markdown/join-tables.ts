/** Recognizes a table that continues on the next page. */
import type { Block } from '../layout/block.js';
import type { Table } from '../tables/table.js';

/** Columns of both parts start at most this far apart, in points. */
const sameEdgeMax = 6;

/** The rows of the first block, if they continue the last table of the page before. The repeated head is left out. */
export function continuedRows(before: readonly Block[], after: readonly Block[]): string[][] | null {
  const [last, first] = [before.at(-1), after[0]];
  if (last?.kind !== 'table' || first?.kind !== 'table' || !hasSameColumns(last.table, first.table)) return null;
  const { rows } = first.table;
  return isSameRow(last.table.rows[0], rows[0]) ? rows.slice(1) : rows;
}

function hasSameColumns(one: Table, other: Table): boolean {
  const width = one.rows[0]?.length ?? 0;
  if (width !== (other.rows[0]?.length ?? 0) || one.columnEdges.length !== other.columnEdges.length) return false;
  if (one.columnEdges.length === 0) return isSameRow(one.rows[0], other.rows[0]);
  return one.columnEdges.every((edge, index) => Math.abs(edge - (other.columnEdges[index] ?? Infinity)) <= sameEdgeMax);
}

function isSameRow(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return one !== undefined && other !== undefined && one.join('|') === other.join('|');
}
