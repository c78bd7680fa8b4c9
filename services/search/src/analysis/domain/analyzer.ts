// Converts text into the terms that are indexed and searched. Index and query use the same analyzer, so a search for a word finds the texts
// that contain it, in any script and under any database locale.
//
// - Words are sequences of letters and digits; `1,000` and `1.5` are one number each. See word-pattern.ts.
// - Compounds such as `e-mail` and `iPhone15` yield their words, their parts, and one joined word. See compound-words.ts.
// - Stop words of the language are dropped, and words are stemmed.
// - Compatibility forms, case and accents are folded (`Ｃafé` → `cafe`). In English before stemming. In other languages afterwards, because
//   their stemmers need the accents: of the word pairs that share a stem, they would find 10 % fewer in French, and 19 % in Hungarian.
//   A word with accents also yields the term that it would have without them, so that queries typed without accents find it.
// - Text in scripts without spaces becomes overlapping pairs of characters, as in Lucene's CJKBigramFilter. This needs no dictionary and
//   finds any two adjacent characters. Indexed texts also yield each single character, for queries of one character.
import type { TextLanguage } from '@kiln/contracts';
import { partsOf, wordsOfCompound } from './compound-words.js';
import { stemmers } from './stemmers.js';
import { stopWords } from './stop-words.js';
import { HAS_COMBINED, LATIN_TEXT, UNSPACED_CHARACTER, WORD, WORD_HERE, WORDS_OF_LATIN_TEXT } from './word-pattern.js';

export interface Token {
  readonly term: string;
  /** Offsets in UTF-16 units of the text that contains the token. `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Whether the term is a part or the joined form of a compound, beside the words as they are written. */
  readonly isAdded: boolean;
  /** Whether the term is what the word would be without its accents. Tokens of a query never are. */
  readonly isUnaccented?: boolean;
}

/** Longer words are truncated, because PostgreSQL limits the size of an index key. */
const TERM_CHARACTERS_MAX = 64;
/** Cached tokens of words. Cleared when full: common words return at once. */
const KNOWN_WORDS_MAX = 50_000;

const ASCII = /^[\x20-\x7f]*$/;
const LATIN_WORD = /^[a-z]+$/;
const LETTERS = /^\p{L}+$/u;
/** Accents, points of Hebrew and Arabic, the Arabic stretch, and selectors of how the character before looks. */
const ACCENTS =
  /\u0640|[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\p{Variation_Selector}]/gu;
/** Such selectors, and soft hyphens. */
const UNSEEN = /\u00ad|\p{Variation_Selector}/gu;
const NOT_A_WORD = /[^\p{L}\p{N}\p{M}.]/gu;

function fold(word: string): string {
  const lower = word.toLowerCase();
  if (ASCII.test(lower)) return lower.replaceAll(',', '');
  return lower.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase().replace(NOT_A_WORD, '');
}

const withoutUnseen = (word: string) => (ASCII.test(word) ? word : word.replace(UNSEEN, ''));
/** The characters of a sequence of a script without spaces. */
const charactersOf = (run: string) =>
  HAS_COMBINED.test(run) ? (run.match(UNSPACED_CHARACTER) ?? []) : Array.from(run);
const truncate = (word: string) => Array.from(word).slice(0, TERM_CHARACTERS_MAX).join('');

export class Analyzer {
  /** The tokens of cached words, with offsets from the start of the word. */
  private readonly knownTokens = new Map<string, readonly Token[]>();
  private readonly stopWords: ReadonlySet<string>;
  private readonly stem: (word: string) => string;

  /** Use `analyzerOf`, which keeps the terms of words that it has seen. */
  constructor(readonly language: TextLanguage) {
    this.stopWords = stopWords[language];
    this.stem = stemmers[language];
  }

  /** The term of one word without hyphens, or null for a stop word. */
  termOf(word: string): string | null {
    const [first] = this.tokensOfWord(word);
    return first && !first.isAdded ? first.term : null;
  }

  /** All tokens of a text that is indexed or highlighted, in order. */
  tokensOfText(text: string): Generator<Token> {
    return this.tokens(text, true);
  }

  /** Yields the terms of `tokensOfText`, in less time. */
  *termsOfText(text: string): Generator<string> {
    if (!LATIN_TEXT.test(text)) {
      for (const { term } of this.tokensOfText(text)) yield term;
      return;
    }
    for (const word of text.match(WORDS_OF_LATIN_TEXT) ?? []) {
      for (const { term } of this.tokensOfWord(word)) yield term;
    }
  }

  /**
   * The words of a text in order, to compare neighbours: terms, stop words, and the single characters of scripts without spaces. Punctuation
   * and spaces between them do not count.
   */
  *wordsOfText(text: string): Generator<string> {
    for (const { 0: word, 1: unspaced } of text.matchAll(WORD)) {
      const words =
        unspaced === undefined
          ? wordsOfCompound(word).map((part) => this.termOf(part) ?? fold(part))
          : charactersOf(word).map(fold);
      for (const folded of words) if (folded !== '') yield folded;
    }
  }

  /** The tokens that `tokensOfText` yields for the word at `start`, and the end of the word. Null when no word begins there. */
  tokensAt(text: string, start: number): { tokens: Iterable<Token>; end: number } | null {
    WORD_HERE.lastIndex = start;
    const match = WORD_HERE.exec(text);
    return match && { tokens: this.tokensOfMatch(match, true), end: start + match[0].length };
  }

  /** The tokens of a query. Words begin and end at the same offsets in every language; the stop words of the language are missing. */
  tokensOfQuery(query: string): Generator<Token> {
    return this.tokens(query, false);
  }

  /** Most text is in Latin script. There a simpler pattern finds the words in a third of the time. */
  private *tokens(text: string, isIndexed: boolean): Generator<Token> {
    const words = LATIN_TEXT.test(text) ? WORDS_OF_LATIN_TEXT : WORD;
    for (const match of text.matchAll(words)) yield* this.tokensOfMatch(match, isIndexed);
  }

  private *tokensOfMatch({ 0: word, 1: unspaced, index }: RegExpExecArray, isIndexed: boolean): Generator<Token> {
    if (unspaced !== undefined) {
      for (const token of pairs(word, index, isIndexed)) if (token.term !== '') yield token;
      return;
    }
    for (const token of this.tokensOfWord(word)) {
      if (token.isUnaccented && !isIndexed) continue;
      yield { ...token, start: index + token.start, end: index + token.end };
    }
  }

  private tokensOfWord(word: string): readonly Token[] {
    const known = this.knownTokens.get(word);
    if (known !== undefined) return known;
    const tokens = partsOf(word).flatMap(({ text: written, ...place }) => {
      const text = withoutUnseen(written);
      const term = this.analyzeWord(text);
      if (term === null) return [];
      const unaccented = this.unaccentedTermOf(text);
      if (unaccented === null || unaccented === term) return [{ term, ...place }];
      return [
        { term, ...place },
        { term: unaccented, ...place, isAdded: true, isUnaccented: true },
      ];
    });
    if (word.length > TERM_CHARACTERS_MAX) return tokens;
    if (this.knownTokens.size >= KNOWN_WORDS_MAX) this.knownTokens.clear();
    this.knownTokens.set(word, tokens);
    return tokens;
  }

  private analyzeWord(word: string): string | null {
    const folded = fold(word);
    if (folded === '') return null;
    if (this.language !== 'english') return this.analyzeAccented(word, folded);
    if (this.stopWords.has(folded)) return null;
    if (!LATIN_WORD.test(folded)) return truncate(folded);
    return this.stem(folded.slice(0, TERM_CHARACTERS_MAX));
  }

  /** Null for a word without accents, and in languages where accents do not change stems. */
  private unaccentedTermOf(word: string): string | null {
    if (this.language === 'english' || this.language === 'none' || ASCII.test(word)) return null;
    const folded = fold(word);
    return this.analyzeAccented(folded, folded);
  }

  private analyzeAccented(word: string, folded: string): string | null {
    const lower = (ASCII.test(word) ? word : word.normalize('NFKC')).toLowerCase();
    if (this.stopWords.has(lower)) return null;
    if (lower.length > TERM_CHARACTERS_MAX || !LETTERS.test(lower)) return truncate(folded);
    const stem = fold(this.stem(lower));
    return stem === '' ? folded : stem;
  }
}

const analyzers = new Map<TextLanguage, Analyzer>();

export function analyzerOf(language: TextLanguage): Analyzer {
  let analyzer = analyzers.get(language);
  if (!analyzer) analyzers.set(language, (analyzer = new Analyzer(language)));
  return analyzer;
}

function* pairs(run: string, start: number, isIndexed: boolean): Generator<Token> {
  const characters = charactersOf(run);
  let offset = start;
  for (const [position, character] of characters.entries()) {
    const next = characters[position + 1];
    const end = offset + character.length;
    if (isIndexed || characters.length === 1) yield { term: fold(character), start: offset, end, isAdded: false };
    if (next !== undefined) {
      yield { term: fold(character + next), start: offset, end: end + next.length, isAdded: false };
    }
    offset = end;
  }
}
