// Finds where a text can be cut without splitting a character as readers see it: a surrogate pair, a letter with its combining marks, an
// emoji of several parts. It simplifies the grapheme clusters of Unicode Standard Annex 29, and omits flags.

const ZERO_WIDTH_JOINER = '\u200d';
const CONTINUES = /^[\p{M}\p{Emoji_Modifier}\u200d]/u;
const LOW_SURROGATE = /^[\uDC00-\uDFFF]/;
const HIGH_SURROGATE = /^[\uD800-\uDBFF]/;
/** No language needs more units for a character. Beyond them, only surrogate pairs stay whole. */
const UNITS_MAX = 64;

function isInPair(text: string, offset: number): boolean {
  return LOW_SURROGATE.test(text.charAt(offset)) && HIGH_SURROGATE.test(text.charAt(offset - 1));
}

function isInside(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  if (isInPair(text, offset)) return true;
  return text.charAt(offset - 1) === ZERO_WIDTH_JOINER || CONTINUES.test(text.slice(offset, offset + 2));
}

/** The offset itself, or the start of the character that contains it. */
export function startOfCharacter(text: string, offset: number): number {
  let start = offset;
  while (offset - start < UNITS_MAX && isInside(text, start)) start--;
  return isInPair(text, start) ? start - 1 : start;
}

/** The offset itself, or the end of the character that contains it. */
export function endOfCharacter(text: string, offset: number): number {
  let end = offset;
  while (end - offset < UNITS_MAX && isInside(text, end)) end++;
  return isInPair(text, end) ? end + 1 : end;
}
