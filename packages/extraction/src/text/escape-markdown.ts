/**
 * Literal text as markdown: what a reader of the rendered markdown sees is the text, and none of it becomes markup or
 * HTML. Every pattern here takes linear time.
 */
const special = /[\\`*_[\]<&~]/g;
const letterOrDigit = /[\p{L}\p{N}]/u;
const punctuation = /[!-/:-@[-`{-~]/;
/** What makes an ampersand a character reference (CommonMark 0.31, 6.2); the text may go on after its end. */
const reference = /^&#?[0-9a-z]{1,40}(?:;|$)/i;
const referenceCharacters = 43;

/** Text within a line. `text` ends where markup begins, or the line ends. */
export function escapeInline(text: string): string {
  return text.replace(special, (character, at: number) =>
    isMarkup(text, at, character) ? `\\${character}` : character,
  );
}

function isMarkup(text: string, at: number, character: string): boolean {
  const next = text[at + 1] ?? '';
  switch (character) {
    case '\\':
      return next === '' || next === '\n' || punctuation.test(next);
    case '<':
      return next === '' || /[a-z/!?]/i.test(next);
    case '&':
      return reference.test(text.slice(at, at + referenceCharacters));
    case '_':
      // Between letters it marks nothing (CommonMark 0.31, 6.4), and names are full of it.
      return !(letterOrDigit.test(text[at - 1] ?? '') && letterOrDigit.test(next));
    default:
      return true;
  }
}

/** A line whose inside is markdown already: its beginning must not make it a heading, a list, a quote or a rule. */
export function escapeLineStart(line: string): string {
  const number = /^\d{1,9}(?=[.)](?: |$))/.exec(line)?.[0];
  if (number !== undefined) return `${number}\\${line.slice(number.length)}`;
  return /^(?:>|#{1,6}(?: |$)|[-+](?: |$)|[-=:|][-=:| ]*$)/.test(line) ? `\\${line}` : line;
}

/** A run of `#` at the end of a heading would be taken for its closing mark. */
export function escapeHeadingEnd(line: string): string {
  let start = line.length;
  while (start > 0 && line[start - 1] === '#') start--;
  const isMark = start < line.length && (start === 0 || line[start - 1] === ' ');
  return isMark ? `${line.slice(0, start)}\\${line.slice(start)}` : line;
}

/** The text of one table cell. */
export function escapeCell(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeInline(line.trim()).replaceAll('|', '\\|'))
    .filter((line) => line !== '')
    .join('<br>');
}

/** A code span. Its text has no line end. */
export function codeSpan(text: string): string {
  const mark = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${mark}${space}${text}${space}${mark}`;
}

/** A fence longer than any run of backticks inside, so that no text can break out of it. */
export function fencedBlock(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(2, longestRun(text)) + 1);
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end--;
  return `${fence}${language}\n${text.slice(0, end)}\n${fence}\n`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const match of text.matchAll(/`+/g)) longest = Math.max(longest, match[0].length);
  return longest;
}
