// Folds names and words for the `search` of a list: case and compatibility forms. The service does this and not the database,
// because a server's locale would decide what a letter is, and index and query must agree for years.

/** Characters of a word that are compared. */
const WORD_CHARACTERS_MAX = 64;
const GRAM_CHARACTERS_MAX = 3;

/** Scripts without spaces: each pair of adjacent characters counts as a word, and so does each character. */
const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー';
const WORD = new RegExp(`[${UNSPACED}]+|(?:[a-z0-9]+|(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
// Most text is ASCII, which has no compatibility forms and needs no test against the letters of Unicode.
const ASCII = /^\p{ASCII}*$/u;
const ASCII_WORD = /[a-z0-9]+/g;

export interface SearchTerms {
  /** The text as a substring of a folded name. */
  name: string;
  /** Runs of characters in the substring, by which names are looked up. */
  grams: string[];
  /** Words that a content must all have. Empty when the text has no word, which no content matches. */
  words: string[];
}

export const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

/** Null for blank text, which every file matches. */
export function searchTermsOf(text: string): SearchTerms | null {
  const name = foldName(text.trim());
  if (name === '') return null;
  return { name, grams: gramsOf(name), words: [...new Set(wordsOf(text, false))] };
}

/**
 * The words of a text in order, with repeats. A content also yields single characters of scripts without spaces, a query only a lone
 * one.
 */
export function wordsOf(text: string, isContent = true): Iterable<string> {
  if (ASCII.test(text)) return (text.toLowerCase().match(ASCII_WORD) ?? []).map(beginningOf);
  return foldedWordsOf(text.normalize('NFKC').toLowerCase(), isContent);
}

function* foldedWordsOf(folded: string, isContent: boolean): Generator<string> {
  for (const word of folded.match(WORD) ?? []) {
    if (!STARTS_UNSPACED.test(word)) {
      yield beginningOf(word);
      continue;
    }
    const characters = Array.from(word);
    for (const [at, character] of characters.entries()) {
      const next = characters[at + 1];
      if (isContent || characters.length === 1) yield character;
      if (next !== undefined) yield character + next;
    }
  }
}

const beginningOf = (word: string): string =>
  word.length <= WORD_CHARACTERS_MAX ? word : Array.from(word).slice(0, WORD_CHARACTERS_MAX).join('');

/** In characters, as `name_grams` in the database counts them. */
function gramsOf(name: string): string[] {
  const characters = Array.from(name);
  const size = Math.min(GRAM_CHARACTERS_MAX, characters.length);
  const grams = new Set<string>();
  for (let at = 0; at + size <= characters.length; at++) grams.add(characters.slice(at, at + size).join(''));
  return [...grams];
}
