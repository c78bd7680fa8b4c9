/**
 * Escapes text, so that rendered markdown shows exactly this text and contains no markup or HTML from it. All patterns take
 * linear time.
 */
const special = /[\\`*_[\]<&~]/g;
const letterOrDigit = /[\p{L}\p{N}]/u;
const punctuation = /[!-/:-@[-`{-~]/;
/** An ampersand begins a character reference (CommonMark 0.31, 6.2). The text may continue after the match. */
const reference = /^&#?[0-9a-z]{1,40}(?:;|$)/i;
const referenceCharacters = 43;

/** Escapes text within a line. After `text`, markup begins or the line ends. */
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
      // An underscore between letters is not markup (CommonMark 0.31, 6.4), and is common in names.
      return !(letterOrDigit.test(text[at - 1] ?? '') && letterOrDigit.test(next));
    default:
      return true;
  }
}

/** Escapes the beginning of a line of inline markdown, so that it is not a heading, list, quote or rule. */
export function escapeLineStart(line: string): string {
  const number = /^\d{1,9}(?=[.)](?:[ \t]|$))/.exec(line)?.[0];
  if (number !== undefined) return `${number}\\${line.slice(number.length)}`;
  return /^(?:>|#{1,6}(?:[ \t]|$)|[-+](?:[ \t]|$)|[-=:|][-=:| \t]*$)/.test(line) ? `\\${line}` : line;
}

/** Escapes `#` at the end of a heading, which would be a closing mark. */
export function escapeHeadingEnd(line: string): string {
  let start = line.length;
  while (start > 0 && line[start - 1] === '#') start--;
  const isMark = start < line.length && (start === 0 || /[ \t]/.test(line[start - 1] ?? ''));
  return isMark ? `${line.slice(0, start)}\\${line.slice(start)}` : line;
}

export function escapeCell(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeInline(line.trim()).replaceAll('|', '\\|'))
    .filter((line) => line !== '')
    .join('<br>');
}

/** Returns a code span. `text` must not contain a line end. */
export function codeSpan(text: string): string {
  const mark = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${mark}${space}${text}${space}${mark}`;
}

/** Returns a fenced block. The fence is longer than any run of backticks in the text, so the text cannot end it. */
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
