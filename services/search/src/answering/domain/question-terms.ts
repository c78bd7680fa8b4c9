// The terms of a question with their weights: which texts they occur in, and whether that is enough to answer from.
import type { TextLanguage } from '@kiln/contracts';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import { B, K1 } from '../../searching/domain/bm25.js';
import type { QueryTerm } from '../../searching/domain/search-query.js';
import { TermFinder } from '../../searching/domain/term-finder.js';

/**
 * A text is relevant if it contains this share of the question's distinct terms, and two of them if there are two. Of a long question, which
 * tells a story, the square root of their number is enough. Terms are counted, not weighed: in a tenant of few files, the weights of words
 * that no file contains would outweigh all others.
 */
const RELEVANT_SHARE_MIN = 0.3;
const RELEVANT_TERMS_MIN = 2;

/** The terms in one language. */
export class QuestionTerms {
  readonly finder: TermFinder;
  private readonly weightSum: number;

  /** `weights`: the most that each term can add to the score of a text. */
  constructor(
    readonly weights: ReadonlyMap<string, number>,
    language: TextLanguage,
  ) {
    this.finder = new TermFinder(analyzerOf(language), weights.keys());
    this.weightSum = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  }

  /** How often the text contains each term that it contains. */
  repeatsIn(text: string): Map<string, number> {
    const repeats = new Map<string, number>();
    for (const { term } of this.finder.find(text)) repeats.set(term, (repeats.get(term) ?? 0) + 1);
    return repeats;
  }

  /** BM25 as a share of the highest possible score. `relativeLength`: the length of the text compared to the average. */
  score(repeats: ReadonlyMap<string, number>, relativeLength: number): number {
    if (this.weightSum <= 0) return 0;
    const saturation = K1 * (1 - B + B * relativeLength);
    let score = 0;
    for (const [term, count] of repeats) score += ((this.weights.get(term) ?? 0) * count) / (count + saturation);
    return score / this.weightSum;
  }

  isRelevant(found: ReadonlySet<string>): boolean {
    const { size } = this.weights;
    const share = Math.min(RELEVANT_SHARE_MIN * size, Math.sqrt(size));
    return found.size > 0 && found.size >= Math.max(Math.min(RELEVANT_TERMS_MIN, size), share);
  }
}

/** The terms in each language of the tenant's files. A text is compared with those of its own language. */
export class QuestionWords {
  private readonly known = new Map<TextLanguage, QuestionTerms>();

  /** `weights`: of each term, by its position. */
  constructor(
    private readonly terms: readonly QueryTerm[],
    private readonly weights: readonly number[],
  ) {}

  in(language: TextLanguage): QuestionTerms {
    let terms = this.known.get(language);
    if (terms) return terms;
    const weights = new Map<string, number>();
    for (const [position, term] of this.terms.entries()) {
      if (term.language === language) weights.set(term.term, this.weights[position] ?? 0);
    }
    terms = new QuestionTerms(weights, language);
    this.known.set(language, terms);
    return terms;
  }
}
