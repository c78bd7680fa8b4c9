/** Characters searched for a title. */
const searchCharacters = 20_000;

/** The text of the first heading of the highest level near the beginning, or null. */
export function firstHeading(markdown: string): string | null {
  let best: { level: number; text: string } | null = null;
  for (const match of markdown.slice(0, searchCharacters).matchAll(/^(#{1,3})[ \t]+(.+?)[ \t]*#*$/gm)) {
    const level = match[1]?.length ?? 3;
    const text = plainInline(match[2] ?? '');
    if (text !== '' && (best === null || level < best.level)) best = { level, text };
  }
  return best?.text ?? null;
}

/** Inline markdown to the words a reader sees. */
export function plainInline(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!|~<>])/g, '$1')
    .replace(/[*`]|<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500);
}
