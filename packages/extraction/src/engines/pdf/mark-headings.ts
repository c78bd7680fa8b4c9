import type { FoundHeading } from './find-headings.js';

/**
 * Gives the headings of a page their marks, cutting them out of the paragraph they were drawn into. One that cannot be
 * found exactly once in running text stays as it is: a wrong cut is worse than a missing mark.
 */
export function markHeadings(markdown: string, headings: readonly FoundHeading[]): string {
  let marked = markdown;
  for (const { level, text } of headings) {
    const matches = [...marked.matchAll(patternOf(text))].filter((match) => isInRunningText(marked, match.index));
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

function isInRunningText(markdown: string, offset: number): boolean {
  const lineStart = markdown.lastIndexOf('\n', offset - 1) + 1;
  return !/^\s*(?:[|#>]|```|[-*+] )/.test(markdown.slice(lineStart, lineStart + 10));
}
