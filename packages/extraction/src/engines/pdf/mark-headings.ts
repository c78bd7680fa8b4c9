import type { FoundHeading } from './find-headings.js';

/** Each heading is searched in the whole page. A page with more candidates has none: they are ordinary lines. */
const headingsMax = 100;

/**
 * Marks the headings of a page, and separates them from the paragraph that they are part of. A heading that is not found
 * exactly once in running text stays unmarked: a wrong cut is worse than a missing mark.
 */
export function markHeadings(markdown: string, headings: readonly FoundHeading[]): string {
  if (headings.length > headingsMax) return markdown;
  let marked = markdown;
  for (const { level, text } of headings) {
    // The pattern allows stars between words. Stars in the heading itself would make matching exponential.
    const matches = text.includes('*') ? [] : inRunningText(marked, marked.matchAll(patternOf(text)));
    const [match] = matches;
    if (match === undefined || matches.length > 1) continue;
    const before = marked.slice(0, match.index).trimEnd();
    const after = marked.slice(match.index + match[0].length).trimStart();
    marked = [before, `${'#'.repeat(level)} ${text}`, after].filter((part) => part !== '').join('\n\n');
  }
  return marked;
}

/** A pattern for the words in order, with any spaces and emphasis between them. */
function patternOf(text: string): RegExp {
  const words = text
    .split(/\s+/)
    .map((word) =>
      Array.from(word, (character) => `\\\\?${character.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`).join(''),
    );
  return new RegExp(`(?<![^\\s*])(?:[*_]{0,3})${words.join('[\\s*]+')}(?:[*_]{0,3})(?![^\\s*])`, 'gu');
}

function inRunningText(markdown: string, matches: Iterable<RegExpExecArray>): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  let lineStart = 0;
  let lineEnd = markdown.indexOf('\n');
  for (const match of matches) {
    for (; lineEnd !== -1 && lineEnd < match.index; lineEnd = markdown.indexOf('\n', lineStart))
      lineStart = lineEnd + 1;
    if (!/^\s*(?:[|#>]|```|[-*+] )/.test(markdown.slice(lineStart, lineStart + 10))) found.push(match);
  }
  return found;
}
