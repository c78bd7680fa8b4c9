// What the list's `search` compares: names and words with case and compatibility forms folded. Here and not in the database,
// since a server's locale would decide there what a letter is, and index and query must agree for years.

/** A word's first characters: nobody types more. */
const WORD_CHARACTERS_MAX = 64;
const GRAM_CHARACTERS_MAX = 3;

/** Scripts written without spaces: each two characters that stand side by side are taken for a word, and each one. */
const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー';
const WORD = new RegExp(`(?<unspaced>[${UNSPACED}]+)|(?:[a-z0-9]+|(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');

export interface SearchTerms {
  /** The text as a substring of a folded name. */
  name: string;
  /** Runs of characters that a name with this substring has; by these it is looked up. */
  grams: string[];
  /** Words that a content must all have; none when the text holds no word, which then no content has. */
  words: string[];
}

export const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

/** Null when there is nothing to look for: every file matches. */
export function searchTermsOf(text: string): SearchTerms | null {
  const name = foldName(text.trim());
  if (name === '') return null;
  return { name, grams: gramsOf(name), words: [...new Set(wordsOf(text, false))] };
}

/** The words of a text in order, with repeats. Contents also give single characters of unspaced scripts; queries a lone one. */
export function* wordsOf(text: string, isContent = true): Generator<string> {
  for (const match of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    const characters = Array.from(match[0]);
    if (match.groups?.['unspaced'] === undefined) {
      yield characters.slice(0, WORD_CHARACTERS_MAX).join('');
      continue;
    }
    for (const [at, character] of characters.entries()) {
      const next = characters[at + 1];
      if (isContent || characters.length === 1) yield character;
      if (next !== undefined) yield character + next;
    }
  }
}

/** In characters, as the database's `name_grams` counts. */
function gramsOf(name: string): string[] {
  const characters = Array.from(name);
  const size = Math.min(GRAM_CHARACTERS_MAX, characters.length);
  const grams = new Set<string>();
  for (let at = 0; at + size <= characters.length; at++) grams.add(characters.slice(at, at + size).join(''));
  return [...grams];
}
