/** Characters searched for a title. */
const searchCharacters = 20_000;
const titleCharacters = 500;

/** The text of the first heading of the highest level, near the beginning of the text. Null if there is none. */
export function firstHeading(markdown: string): string | null {
  let best: { level: number; text: string } | null = null;
  for (const line of markdown.slice(0, searchCharacters).split('\n')) {
    const match = /^(#{1,3})[ \t]+(.*)$/.exec(line);
    if (match === null) continue;
    const level = match[1]?.length ?? 3;
    const text = plainInline(withoutClosingMark(match[2] ?? ''));
    if (text !== '' && (best === null || level < best.level)) best = { level, text };
  }
  return best?.text ?? null;
}

/** `Title ##` → `Title`: markdown allows closing marks. */
export function withoutClosingMark(heading: string): string {
  const trimmed = heading.trimEnd();
  let end = trimmed.length;
  while (end > 0 && trimmed[end - 1] === '#') end--;
  const isMark = end < trimmed.length && (end === 0 || /[ \t]/.test(trimmed[end - 1] ?? ''));
  return isMark ? trimmed.slice(0, end).trimEnd() : trimmed;
}

/** An escape, a link or an image, a tag, or a mark. The alternatives begin differently, so matching takes linear time. */
const inlineMarks = /\\([!-/:-@[-`{-~])|!?\[((?:[^[\]\\]|\\.)*)\]\([^()]*\)|<[a-z/!?][^<>]*>|[*`]/gi;
const escapes = /\\([!-/:-@[-`{-~])/g;

/** Returns the visible text of inline markdown. */
export function plainInline(markdown: string, charactersMax: number = titleCharacters): string {
  return markdown
    .replace(inlineMarks, (_mark, escaped?: string, link?: string) => escaped ?? link?.replace(escapes, '$1') ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, charactersMax);
}
