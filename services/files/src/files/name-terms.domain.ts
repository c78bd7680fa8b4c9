// Folds filenames for the `search` of a list: case and canonical forms. The service does this and not the database, because a server's
// locale would decide what a letter is, and index and query must agree for years.

const GRAM_CHARACTERS_MAX = 3;

export interface NameTerms {
  /** The text as a substring of a folded name. */
  name: string;
  /** Runs of characters in the substring, by which names are looked up. */
  grams: string[];
}

export const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

/** Null for blank text, which every file matches. */
export function nameTermsOf(text: string): NameTerms | null {
  const name = foldName(text.trim());
  return name === '' ? null : { name, grams: gramsOf(name) };
}

/** The length in characters, as `name_grams` in the database counts them. */
function gramsOf(name: string): string[] {
  const characters = Array.from(name);
  const size = Math.min(GRAM_CHARACTERS_MAX, characters.length);
  const grams = new Set<string>();
  for (let at = 0; at + size <= characters.length; at++) grams.add(characters.slice(at, at + size).join(''));
  return [...grams];
}
