// A clause is a phrase that a file must contain, or a word or phrase that it must not contain. Postings have no positions: they decide a
// clause of one word. For others, they find the passages with all of its words, whose texts then decide.
import { termsOfQuery, wordsOfText } from '../../analysis/domain/analyzer.js';

export interface Clause {
  readonly excluded: boolean;
  /** The distinct terms of its words. At least one. */
  readonly terms: readonly string[];
  /** Its words in order, stop words included. */
  readonly words: readonly string[];
  /** Whether a passage that has all terms need not contain the phrase. */
  readonly needsText: boolean;
}

/** Returns null when the text has only stop words and punctuation: the index does not contain them, so they ask for nothing. */
export function clauseOf(text: string, excluded: boolean): Clause | null {
  const counted = termsOfQuery(text);
  const terms = counted.map(({ term }) => term);
  const [first, second] = terms;
  if (first === undefined) return null;
  const words = [...wordsOfText(text)];
  // Two characters of a script without spaces are one term.
  const isOneTerm = second === undefined && counted[0]?.repeats === 1 && words.join('') === first;
  return { excluded, terms, words, needsText: !isOneTerm };
}

/** Finds a phrase in texts, in time proportional to their length (Knuth, Morris and Pratt). */
export class PhraseMatcher {
  /** For each count of matching words, how many of them can begin a match when the next word differs. */
  private readonly fallbacks: number[] = [0];

  constructor(private readonly words: readonly string[]) {
    for (let at = 1, matched = 0; at < words.length; at++) {
      while (matched > 0 && words[at] !== words[matched]) matched = this.fallbacks[matched - 1] ?? 0;
      if (words[at] === words[matched]) matched++;
      this.fallbacks.push(matched);
    }
  }

  isIn(text: string): boolean {
    const { words, fallbacks } = this;
    let matched = 0;
    for (const word of wordsOfText(text)) {
      while (matched > 0 && word !== words[matched]) matched = fallbacks[matched - 1] ?? 0;
      if (word === words[matched]) matched++;
      if (matched === words.length) return true;
    }
    return words.length === 0;
  }
}
