// What remains on a terminal of the text that was written to it.

/** Follows the two sequences that the progress of the command line uses: some lines up, and erase to the end. */
export function screenOf(written: string): string {
  const lines = [''];
  // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
  for (const part of written.replaceAll('\r', '').split(/(\u001B\[\d+[AJ]|\n)/)) {
    const [, count, kind] = /\[(\d+)([AJ])$/.exec(part) ?? [];
    if (kind === 'A') lines.splice(lines.length - Number(count) - 1, Infinity, '');
    else if (part === '\n') lines.push('');
    else if (kind === undefined) lines[lines.length - 1] += part;
  }
  return inOrder(lines).join('\n');
}

/** Files are uploaded at the same time, and end in any order: their lines are sorted. */
function inOrder(lines: readonly string[]): string[] {
  const isEnd = (line: string) => /^(uploaded|present) {2,3}/.test(line);
  const sorted = lines.filter(isEnd).toSorted().values();
  return lines.map((line) => (isEnd(line) ? String(sorted.next().value) : line));
}
