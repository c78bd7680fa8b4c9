/** Finds the separate tables of a sheet: blocks of cells with empty rows and columns between them. */
import type { SheetRow } from './sheet-grid.js';

/** Blocks are split by rows, then by columns, then by rows again. Real layouts have no more levels than this. */
const depthMax = 6;

/** From top to bottom, and from left to right. */
export function regionsOf(rows: readonly SheetRow[], depth = 0): SheetRow[][] {
  const bands = splitRows(rows);
  return bands.flatMap((band) => {
    const blocks = splitColumns(band);
    if (blocks.length === 1 || depth >= depthMax) return [band];
    return blocks.flatMap((block) => regionsOf(block, depth + 1));
  });
}

function splitRows(rows: readonly SheetRow[]): SheetRow[][] {
  const bands: SheetRow[][] = [];
  let previous: SheetRow | undefined;
  for (const row of rows) {
    if (previous !== undefined && row.index === previous.index + 1) bands.at(-1)?.push(row);
    else bands.push([row]);
    previous = row;
  }
  return bands;
}

function splitColumns(rows: readonly SheetRow[]): SheetRow[][] {
  const blockOfColumn = new Map<number, number>();
  let blocks = 0;
  let previous: number | null = null;
  for (const column of [...new Set(rows.flatMap(({ cells }) => cells.map((cell) => cell.column)))].toSorted(
    (left, right) => left - right,
  )) {
    if (previous === null || column > previous + 1) blocks++;
    blockOfColumn.set(column, blocks - 1);
    previous = column;
  }
  if (blocks <= 1) return [[...rows]];
  const found = Array.from({ length: blocks }, (): SheetRow[] => []);
  for (const row of rows)
    for (const [block, cells] of Map.groupBy(row.cells, ({ column }) => blockOfColumn.get(column) ?? 0))
      found[block]?.push({ index: row.index, cells });
  return found;
}
