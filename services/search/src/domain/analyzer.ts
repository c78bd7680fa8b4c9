// Turns text into the terms that are indexed and searched. Both sides use this one function, so a word that is in a text is
// found by it: whatever its script, and whatever the database's locale.
//
// - Words are runs of letters and digits; `1,000` and `1.5` are one number each.
// - Compatibility forms, case and accents are folded (`Ｃafé` → `cafe`).
// - English stop words are dropped and words of a to z are stemmed. A word that is not English is stemmed the same way on
//   both sides, which is harmless.
// - Scripts written without spaces become overlapping pairs of characters, as in Lucene's CJKBigramFilter: it needs no
//   dictionary, and finds any two characters that stand side by side. Texts also get each single character, so that a
//   query of one character finds something.
import type { QueryTerm } from './bm25.js';
import { stemEnglish } from './english-stemmer.js';
import { englishStopWords } from './stop-words.js';

export interface Token {
  readonly term: string;
  /** Offsets in UTF-16 units of the text it came from; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Longer words keep their first characters only: no one types more, and a key of an index in PostgreSQL has its limits. */
const TERM_CHARACTERS_MAX = 64;

const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー';
// ASCII is tried first at each step: testing a character against all letters of Unicode is many times slower. The bound on
// the parts of a number keeps the time linear in the text.
const WORD = new RegExp(
  `(?=[A-Za-z0-9\\u{80}-\\u{10ffff}])(?:[0-9]+(?:[.,][0-9]+){1,8}(?![\\p{L}\\p{N}])` +
    `|(?:[A-Za-z0-9]+|(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+|([${UNSPACED}]+))`,
  'gu',
);
const ASCII = /^[\x20-\x7f]*$/;
const LATIN_WORD = /^[a-z]+$/;
const ACCENTS = /[\u0300-\u036f]/g;
const NOT_A_WORD = /[^\p{L}\p{N}\p{M}.]/gu;

function fold(word: string): string {
  const lower = word.toLowerCase();
  if (ASCII.test(lower)) return lower.replaceAll(',', '');
  return lower.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase().replace(NOT_A_WORD, '');
}

function analyseWord(word: string): string | null {
  const folded = fold(word);
  if (folded === '' || englishStopWords.has(folded)) return null;
  if (!LATIN_WORD.test(folded)) return Array.from(folded).slice(0, TERM_CHARACTERS_MAX).join('');
  return stemEnglish(folded.slice(0, TERM_CHARACTERS_MAX));
}

/** Terms of words already worked out; emptied when full, since the common words are back at once. */
const knownTerms = new Map<string, string | null>();
const KNOWN_TERMS_MAX = 50_000;

/** The term of one word, or null for a stop word. */
function termOf(word: string): string | null {
  const known = knownTerms.get(word);
  if (known !== undefined) return known;
  const term = analyseWord(word);
  if (word.length > TERM_CHARACTERS_MAX) return term;
  if (knownTerms.size >= KNOWN_TERMS_MAX) knownTerms.clear();
  knownTerms.set(word, term);
  return term;
}

function* pairs(run: string, start: number, withSingles: boolean): Generator<Token> {
  const characters = Array.from(run);
  let offset = start;
  for (const [position, character] of characters.entries()) {
    const next = characters[position + 1];
    const end = offset + character.length;
    if (withSingles || characters.length === 1) yield { term: fold(character), start: offset, end };
    if (next !== undefined) yield { term: fold(character + next), start: offset, end: end + next.length };
    offset = end;
  }
}

function* tokens(text: string, withSingles: boolean): Generator<Token> {
  for (const match of text.matchAll(WORD)) {
    const [word, unspaced] = match;
    if (unspaced !== undefined) {
      for (const token of pairs(word, match.index, withSingles)) if (token.term !== '') yield token;
      continue;
    }
    const term = termOf(word);
    if (term !== null) yield { term, start: match.index, end: match.index + word.length };
  }
}

/** Every token of a text to be indexed or highlighted, in order. */
export const tokensOfText = (text: string): Generator<Token> => tokens(text, true);

/** The different terms of a query, in order, and how often it holds each. Empty for stop words and punctuation only. */
export function termsOfQuery(query: string): QueryTerm[] {
  const repeats = new Map<string, number>();
  for (const { term } of tokens(query, false)) repeats.set(term, (repeats.get(term) ?? 0) + 1);
  return [...repeats].map(([term, count]) => ({ term, repeats: count }));
}
