const separator = ' | ';
const ruleCell = ' --- |';

/** Makes a GFM table from cells of markdown. The first row is the header. Short rows are padded. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = widthOf(rows);
  if (width === 0) return '';
  const lines = rows.map((row) => `| ${row.join(separator)}${separator.repeat(width - row.length)} |`);
  lines.splice(1, 0, `|${ruleCell.repeat(width)}`);
  return lines.join('\n');
}

/** The length of the table's marks, without the text of its cells. */
export function paddedCharacters(rows: readonly (readonly string[])[]): number {
  return widthOf(rows) * (rows.length * separator.length + ruleCell.length);
}

function widthOf(rows: readonly (readonly string[])[]): number {
  return rows.reduce((widest, row) => Math.max(widest, row.length), 0);
}
