// Compound words are also found by their parts, and as one word: `e-mail` by `email`, `iPhone15` by `iPhone`. Lucene's WordDelimiterGraphFilter
// does the same with `splitOnNumerics` and `catenateAll`
// (https://lucene.apache.org/core/10_0_0/analysis/common/org/apache/lucene/analysis/miscellaneous/WordDelimiterGraphFilter.html).

interface WordPart {
  readonly text: string;
  /** Offsets in UTF-16 units of the word; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Whether the part is an additional form, by which a compound is found beside its words as they are written. */
  readonly isAdded: boolean;
}

/** The hyphens that join words: hyphen-minus, hyphen, non-breaking hyphen. For character classes. */
export const HYPHENS = '\\-\\u2010\\u2011';

const HYPHEN = new RegExp(`[${HYPHENS}]`, 'u');
const LETTERS_AND_DIGITS = /\p{L}\p{M}*\p{N}|\p{N}\p{L}/u;
const SEQUENCE = /[\p{L}\p{M}]+|\p{N}+/gu;
/** Longer chains are phrases, such as state-of-the-art. */
const JOINED_WORDS_MAX = 3;
/** A word with more sequences is a hash or an identifier, whose parts have no meaning. */
const SEQUENCES_MAX = 4;
const SEQUENCE_LENGTH_MIN = 2;

/** Splits a match of `WORD` at its hyphens. */
export const wordsOfCompound = (word: string): string[] => word.split(HYPHEN);

/** The words in a match of `WORD`, and the additional forms by which it is found, in the order of their offsets. */
export function partsOf(word: string): WordPart[] {
  const words = wordsOfCompound(word);
  const parts: WordPart[] = [];
  if (words.length > 1 && words.length <= JOINED_WORDS_MAX) {
    parts.push({ text: words.join(''), start: 0, end: word.length, isAdded: true });
  }
  let start = 0;
  for (const text of words) {
    parts.push({ text, start, end: start + text.length, isAdded: false }, ...sequencesOf(text, start));
    start += text.length + 1;
  }
  return parts;
}

/** The sequences of letters and of digits in a word that has both. */
function sequencesOf(word: string, offset: number): WordPart[] {
  if (!LETTERS_AND_DIGITS.test(word)) return [];
  const sequences = [...word.matchAll(SEQUENCE)];
  if (sequences.length > SEQUENCES_MAX) return [];
  return sequences
    .filter(([text]) => text.length >= SEQUENCE_LENGTH_MIN)
    .map(({ 0: text, index }) => ({ text, start: offset + index, end: offset + index + text.length, isAdded: true }));
}
