const separator = ' | ';
const ruleCell = ' --- |';

/** A GFM table from cells that are already markdown; short rows are padded, the first row is the header. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = widthOf(rows);
  if (width === 0) return '';
  const lines = rows.map((row) => `| ${row.join(separator)}${separator.repeat(width - row.length)} |`);
  lines.splice(1, 0, `|${ruleCell.repeat(width)}`);
  return lines.join('\n');
}

/** How long such a table becomes, besides the text of its cells. */
export function paddedCharacters(rows: readonly (readonly string[])[]): number {
  return widthOf(rows) * (rows.length * separator.length + ruleCell.length);
}

function widthOf(rows: readonly (readonly string[])[]): number {
  return rows.reduce((widest, row) => Math.max(widest, row.length), 0);
}
