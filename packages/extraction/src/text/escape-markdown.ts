/** One table cell: no line end, no column separator left bare. */
export function tableCell(text: string): string {
  return text
    .trim()
    .replace(/\\(?=\|)|\|/g, (match) => `\\${match}`)
    .replace(/\s*\n\s*/g, '<br>');
}

/** A GFM table from cells that are already markdown; short rows are padded, the first row is the header. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width === 0) return '';
  const lines = rows.map((row) => `| ${Array.from({ length: width }, (_, column) => row[column] ?? '').join(' | ')} |`);
  lines.splice(1, 0, `|${' --- |'.repeat(width)}`);
  return lines.join('\n');
}

/** A fence longer than any run of backticks inside, so that no text can break out of it. */
export function fencedBlock(text: string, language: string): string {
  let longest = 2;
  for (const match of text.matchAll(/`{3,}/g)) longest = Math.max(longest, match[0].length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}\n`;
}
