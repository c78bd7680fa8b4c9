// A clause is a phrase that a file must contain, or a word or phrase that it must not contain. Postings have no positions, so they decide
// only a clause of one word. For other clauses they find the passages with all words, and the texts of these decide.
import type { TextLanguage } from '@kiln/contracts';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import { indexTerm } from '../../analysis/domain/index-term.js';

/** What a clause means for files of one language. */
interface ClauseVariant {
  readonly language: TextLanguage;
  /** The distinct terms of its words, as the index stores them. At least one. */
  readonly terms: readonly string[];
  /** Its words in order, stop words included. */
  readonly words: readonly string[];
}

export interface Clause {
  readonly excluded: boolean;
  /** The clause in each language, at least one. */
  readonly variants: readonly ClauseVariant[];
  /** Whether a passage that has all terms need not contain the phrase. */
  readonly needsText: boolean;
}

/**
 * Returns null when the clause has no effect, because it has only stop words and punctuation, which the index does not contain. A phrase of
 * stop words in one language has no effect in any language: otherwise no file of that language would match.
 */
export function clauseOf(text: string, excluded: boolean, languages: readonly TextLanguage[]): Clause | null {
  const all = languages.map((language) => variantOf(text, language));
  const variants = all.filter((variant) => variant !== null);
  if (variants.length === 0 || (!excluded && variants.length < all.length)) return null;
  return { excluded, variants, needsText: variants.some(({ needsText }) => needsText) };
}

function variantOf(text: string, language: TextLanguage): (ClauseVariant & { needsText: boolean }) | null {
  const analyzer = analyzerOf(language);
  const tokens = [...analyzer.tokensOfQuery(text)].filter(({ isAdded }) => !isAdded);
  const [first] = tokens;
  if (!first) return null;
  const words = [...analyzer.wordsOfText(text)];
  // Two characters of a script without spaces are one term.
  const isOneTerm = tokens.length === 1 && words.join('') === first.term;
  const terms = [...new Set(tokens.map(({ term }) => indexTerm(language, term)))];
  return { language, terms, words, needsText: !isOneTerm };
}

/** Finds a phrase in texts of a language, in time proportional to their length (Knuth, Morris and Pratt). */
export class PhraseMatcher {
  /** For each count of matching words, how many of them can begin a match when the next word differs. */
  private readonly fallbacks: number[] = [0];

  constructor(private readonly variant: Pick<ClauseVariant, 'language' | 'words'>) {
    const { words } = variant;
    for (let at = 1, matched = 0; at < words.length; at++) {
      while (matched > 0 && words[at] !== words[matched]) matched = this.fallbacks[matched - 1] ?? 0;
      if (words[at] === words[matched]) matched++;
      this.fallbacks.push(matched);
    }
  }

  isIn(text: string): boolean {
    const { fallbacks } = this;
    const { words, language } = this.variant;
    let matched = 0;
    for (const word of analyzerOf(language).wordsOfText(text)) {
      while (matched > 0 && word !== words[matched]) matched = fallbacks[matched - 1] ?? 0;
      if (word === words[matched]) matched++;
      if (matched === words.length) return true;
    }
    return words.length === 0;
  }
}

/** Finds a clause in texts of any language. */
export class ClauseMatcher {
  private readonly matchers: ReadonlyMap<TextLanguage, PhraseMatcher>;

  constructor({ variants }: Pick<Clause, 'variants'>) {
    this.matchers = new Map(variants.map((variant) => [variant.language, new PhraseMatcher(variant)]));
  }

  /** A clause that has no effect in this language is in no text. */
  isIn(text: string, language: TextLanguage): boolean {
    return this.matchers.get(language)?.isIn(text) ?? false;
  }
}
