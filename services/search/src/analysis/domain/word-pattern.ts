// Where words begin and end, in any language. Words are sequences of letters and digits. `1,000` and `1.5` are one number each. Words joined by
// hyphens are one match, see compound-words.ts. A sequence of a script without spaces is one match, in group 1. Marks, and soft hyphens, belong to
// the letter before them.
import { HYPHENS } from './compound-words.js';

const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ーｰ';
/** Voice marks of half-width katakana. */
const KANA_MARKS = 'ﾞﾟ';

// ASCII is tried first at each step: testing a character against all Unicode letters is many times slower. The limit on the parts of a
// number keeps the time linear in the length of the text.
const LETTERS_OR_DIGITS = `(?:[A-Za-z0-9]|(?![${UNSPACED}])[\\p{L}\\p{N}])(?:[A-Za-z0-9]+|(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}\\u00ad])*`;
export const WORD = new RegExp(
  `(?=[A-Za-z0-9\\u{80}-\\u{10ffff}])(?:[0-9]+(?:[.,][0-9]+){1,8}(?![\\p{L}\\p{N}])` +
    `|${LETTERS_OR_DIGITS}(?:[${HYPHENS}]${LETTERS_OR_DIGITS})*|([${UNSPACED}](?:[${UNSPACED}${KANA_MARKS}]+|\\p{M})*))`,
  'gu',
);

/** Matches a word that begins at `lastIndex`. */
export const WORD_HERE = new RegExp(WORD, 'uy');

/** A character of a script without spaces. Conjoining jamo are a syllable together. Without the limits, a term could be as long as its text. */
export const UNSPACED_CHARACTER = new RegExp(
  `(?:[\\u1100-\\u115f][\\u1160-\\u11ff]{0,4}|[^])(?:[${KANA_MARKS}]|(?![${UNSPACED}])\\p{M}){0,4}`,
  'gu',
);
/** Whether a character of the text may have several code points. */
export const HAS_COMBINED = new RegExp(`[\\p{M}\\u1100-\\u11ff${KANA_MARKS}]`, 'u');

/** Letters and digits up to U+024F, which cover text in Latin script. */
const LATIN = 'A-Za-z0-9ªµºÀ-ÖØ-öø-\\u024f²³¹¼½¾';

/** A text in which `WORDS_OF_LATIN_TEXT` finds the same words as `WORD`: soft hyphens are rare. */
export const LATIN_TEXT =
  /^[\0-\u00ac\u00ae-\u024f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u245f\u2500-\u2775]*$/;
export const WORDS_OF_LATIN_TEXT = new RegExp(
  `[0-9]+(?:[.,][0-9]+){1,8}(?![${LATIN}])|[${LATIN}]+(?:[${HYPHENS}][${LATIN}]+)*`,
  'g',
);
