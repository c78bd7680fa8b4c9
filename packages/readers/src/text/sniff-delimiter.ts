/** Detects the character that separates the values of a text table, from its first lines. */
const candidates = [',', ';', '\t', '|'] as const;
const sampleCharacters = 65_536;
const sampleLines = 50;

type Delimiter = (typeof candidates)[number];

/** Chooses the delimiter that gives most lines the same number of values. In a draw a comma wins, or a tab if the content type says so. */
export function sniffDelimiter(text: string, contentType: string): string {
  const counts = countPerLine(text.slice(0, sampleCharacters));
  let best: { delimiter: Delimiter; score: number } = {
    delimiter: contentType.includes('tab-separated') ? '\t' : ',',
    score: 0,
  };
  for (const delimiter of candidates) {
    const score = scoreOf(counts.map((line) => line.get(delimiter) ?? 0));
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** The share of lines with the most common number of values, weighted by that number. 0 without lines. */
function scoreOf(counts: readonly number[]): number {
  const frequency = new Map<number, number>();
  for (const count of counts) if (count > 0) frequency.set(count, (frequency.get(count) ?? 0) + 1);
  let best = 0;
  for (const [count, lines] of frequency) {
    const agreement = lines / counts.length;
    best = Math.max(best, agreement * agreement * (1 + Math.min(count, 20) / 100));
  }
  return best;
}

/** Counts delimiters outside of quotes. A line end inside quotes does not end the line. */
function countPerLine(sample: string): Map<string, number>[] {
  const lines: Map<string, number>[] = [];
  let current = new Map<string, number>();
  let quoted = false;
  for (const character of sample) {
    if (character === '"') quoted = !quoted;
    else if (character === '\n' && !quoted) {
      if (current.size > 0) lines.push(current);
      if (lines.length === sampleLines) return lines;
      current = new Map();
    } else if (!quoted && (candidates as readonly string[]).includes(character))
      current.set(character, (current.get(character) ?? 0) + 1);
  }
  if (current.size > 0) lines.push(current);
  return lines;
}
