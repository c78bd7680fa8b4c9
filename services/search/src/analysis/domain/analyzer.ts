// Converts text into the terms that are indexed and searched. Index and query use the same functions, so a search for a word finds the
// texts that contain it, in any script and under any database locale.
//
// - Words are runs of letters and digits; `1,000` and `1.5` are one number each.
// - Compatibility forms, case and accents are folded (`Ｃafé` → `cafe`).
// - English stop words are dropped, and words of a to z are stemmed. Words of other languages are stemmed too, which is harmless because
//   text and query are stemmed alike.
// - Text in scripts without spaces becomes overlapping pairs of characters, as in Lucene's CJKBigramFilter. This needs no dictionary and
//   finds any two adjacent characters. Indexed texts also yield each single character, for queries of one character.
import { stemEnglish } from './english-stemmer.js';
import { englishStopWords } from './stop-words.js';

export interface Token {
  readonly term: string;
  /** Offsets in UTF-16 units of the text it came from; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface QueryTerm {
  readonly term: string;
  /** How often the query contains it. */
  readonly repeats: number;
}

/** Longer words are truncated: nobody types more, and PostgreSQL limits the size of an index key. */
const TERM_CHARACTERS_MAX = 64;

const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー';
// ASCII is tried first at each step: testing a character against all Unicode letters is many times slower. The limit on the parts of a
// number keeps the time linear in the length of the text.
const WORD = new RegExp(
  `(?=[A-Za-z0-9\\u{80}-\\u{10ffff}])(?:[0-9]+(?:[.,][0-9]+){1,8}(?![\\p{L}\\p{N}])` +
    `|(?:[A-Za-z0-9]+|(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+|([${UNSPACED}]+))`,
  'gu',
);
const WORD_HERE = new RegExp(WORD, 'uy');
/** Letters and digits up to U+024F, which cover text in Latin script. */
const LATIN = 'A-Za-z0-9ªµºÀ-ÖØ-öø-\\u024f²³¹¼½¾';
const LATIN_TEXT = /^[\0-\u024f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u245f\u2500-\u2775]*$/;
const WORDS_OF_LATIN_TEXT = new RegExp(`[0-9]+(?:[.,][0-9]+){1,8}(?![${LATIN}])|[${LATIN}]+`, 'g');
const ASCII = /^[\x20-\x7f]*$/;
const LATIN_WORD = /^[a-z]+$/;
const ACCENTS = /[\u0300-\u036f]/g;
const NOT_A_WORD = /[^\p{L}\p{N}\p{M}.]/gu;

function fold(word: string): string {
  const lower = word.toLowerCase();
  if (ASCII.test(lower)) return lower.replaceAll(',', '');
  return lower.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase().replace(NOT_A_WORD, '');
}

function analyzeWord(word: string): string | null {
  const folded = fold(word);
  if (folded === '' || englishStopWords.has(folded)) return null;
  if (!LATIN_WORD.test(folded)) return Array.from(folded).slice(0, TERM_CHARACTERS_MAX).join('');
  return stemEnglish(folded.slice(0, TERM_CHARACTERS_MAX));
}

/** Cached terms of words. Cleared when full: common words return at once. */
const knownTerms = new Map<string, string | null>();
const KNOWN_TERMS_MAX = 50_000;

/** The term of one word, or null for a stop word. */
export function termOf(word: string): string | null {
  const known = knownTerms.get(word);
  if (known !== undefined) return known;
  const term = analyzeWord(word);
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
  for (const match of text.matchAll(WORD)) yield* tokensOfMatch(match, withSingles);
}

function* tokensOfMatch({ 0: word, 1: unspaced, index }: RegExpExecArray, withSingles: boolean): Generator<Token> {
  if (unspaced !== undefined) {
    for (const token of pairs(word, index, withSingles)) if (token.term !== '') yield token;
    return;
  }
  const term = termOf(word);
  if (term !== null) yield { term, start: index, end: index + word.length };
}

/** All tokens of a text that is indexed or highlighted, in order. */
export const tokensOfText = (text: string): Generator<Token> => tokens(text, true);

/** The terms of `tokensOfText`. For text in Latin script, as most is, a simpler pattern finds them in a third of the time. */
export function* termsOfText(text: string): Generator<string> {
  if (!LATIN_TEXT.test(text)) {
    for (const { term } of tokensOfText(text)) yield term;
    return;
  }
  for (const word of text.match(WORDS_OF_LATIN_TEXT) ?? []) {
    const term = termOf(word);
    if (term !== null) yield term;
  }
}

/**
 * The words of a text in order, to compare neighbours: terms, stop words, and the single characters of scripts without spaces. Punctuation
 * and spaces between them do not count.
 */
export function* wordsOfText(text: string): Generator<string> {
  for (const { 0: word, 1: unspaced } of text.matchAll(WORD)) {
    const words = unspaced === undefined ? [termOf(word) ?? fold(word)] : Array.from(word, fold);
    for (const folded of words) if (folded !== '') yield folded;
  }
}

/** The tokens that `tokensOfText` yields for the word at `start`, and the end of the word. Null when no word begins there. */
export function tokensAt(text: string, start: number): { tokens: Iterable<Token>; end: number } | null {
  WORD_HERE.lastIndex = start;
  const match = WORD_HERE.exec(text);
  return match && { tokens: tokensOfMatch(match, true), end: start + match[0].length };
}

/** The distinct terms of a query, in order, and how often it contains each. Empty when the query has only stop words and punctuation. */
export function termsOfQuery(query: string): QueryTerm[] {
  const repeats = new Map<string, number>();
  for (const { term } of tokens(query, false)) repeats.set(term, (repeats.get(term) ?? 0) + 1);
  return [...repeats].map(([term, count]) => ({ term, repeats: count }));
}
