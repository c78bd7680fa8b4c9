import type { FoundHeading } from './find-headings.js';

/** Each heading is looked for in the whole page; a page with more of them has no headings but lines. */
const headingsMax = 100;

/**
 * Gives the headings of a page their marks, cutting them out of the paragraph they were drawn into. One that cannot be
 * found exactly once in running text stays as it is: a wrong cut is worse than a missing mark.
 */
export function markHeadings(markdown: string, headings: readonly FoundHeading[]): string {
  if (headings.length > headingsMax) return markdown;
  let marked = markdown;
  for (const { level, text } of headings) {
    // Between its words stand spaces and stars: one with stars of its own could be found in countless ways.
    const matches = text.includes('*') ? [] : inRunningText(marked, marked.matchAll(patternOf(text)));
    const [match] = matches;
    if (match === undefined || matches.length > 1) continue;
    const before = marked.slice(0, match.index).trimEnd();
    const after = marked.slice(match.index + match[0].length).trimStart();
    marked = [before, `${'#'.repeat(level)} ${text}`, after].filter((part) => part !== '').join('\n\n');
  }
  return marked;
}

/** The words in order, whatever spaces and emphasis stand between them. */
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
