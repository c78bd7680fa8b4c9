// The terms of a question with their weights: which texts they occur in, and whether that is enough to answer from.
import type { TextLanguage } from '@kiln/contracts';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import { B, K1 } from '../../searching/domain/bm25.js';
import type { QueryTerm } from '../../searching/domain/search-query.js';
import { TermFinder } from '../../searching/domain/term-finder.js';

/**
 * How relevant a text is: the share of the question's terms that it contains, times the root of their number, since several words meet by
 * chance less often than one. Terms are weighed by their rarity, plus this: in a tenant of few files, a word that no file contains would
 * outweigh all others. docs/decisions/answers.md has the measurements.
 */
const TERM_WEIGHT_MIN = 1;
/** Among many passages, some contain a few words of any question. So the more there are, the more relevant a text must be. */
const RELEVANCE_MIN = { base: 0.3, perLogarithm: 0.044, most: 0.95 };

/** The terms in one language. */
export class QuestionTerms {
  readonly finder: TermFinder;
  private readonly weightSum: number;
  private readonly relevanceMin: number;

  /** `weights`: the most that each term can add to the score of a text. `passages`: how many the tenant has. */
  constructor(
    readonly weights: ReadonlyMap<string, number>,
    language: TextLanguage,
    passages: number,
  ) {
    const { base, perLogarithm, most } = RELEVANCE_MIN;
    this.relevanceMin = Math.min(base + perLogarithm * Math.log(Math.max(passages, 1)), most);
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

  /** How relevant a text is that contains these terms. From 1 on, it is enough to answer from. */
  relevanceOf(found: ReadonlySet<string>): number {
    let [weightFound, weightOfAll, count] = [0, 0, 0];
    for (const [term, weight] of this.weights) {
      const rarity = weight / (K1 + 1) + TERM_WEIGHT_MIN;
      weightOfAll += rarity;
      if (!found.has(term)) continue;
      weightFound += rarity;
      count++;
    }
    return count === 0 ? 0 : ((weightFound / weightOfAll) * Math.sqrt(count)) / this.relevanceMin;
  }
}

/** The terms in each language of the tenant's files. A text is compared with those of its own language. */
export class QuestionWords {
  private readonly known = new Map<TextLanguage, QuestionTerms>();

  /** `weights`: of each term, by its position. `passages`: how many the tenant has. */
  constructor(
    private readonly terms: readonly QueryTerm[],
    private readonly weights: readonly number[],
    private readonly passages: number,
  ) {}

  in(language: TextLanguage): QuestionTerms {
    let terms = this.known.get(language);
    if (terms) return terms;
    const weights = new Map<string, number>();
    for (const [position, term] of this.terms.entries()) {
      if (term.language === language) weights.set(term.term, this.weights[position] ?? 0);
    }
    terms = new QuestionTerms(weights, language, this.passages);
    this.known.set(language, terms);
    return terms;
  }
}
