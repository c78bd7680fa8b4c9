// The terms of a question with their weights: which texts they occur in, and whether that is enough to answer from.
import type { TextLanguage } from '@kiln/contracts';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import { B, inverseDocumentFrequency, K1, type RankingWeights } from '../../searching/domain/bm25.js';
import type { QueryTerm } from '../../searching/domain/search-query.js';
import { TermFinder } from '../../searching/domain/term-finder.js';
import { commonnessOf } from './common-words.js';

/**
 * How relevant a text is: the share of the question's terms that it contains, times the evidence that it does not contain them by chance.
 * Terms are weighed by their rarity. A term that no passage contains is the rarest. Among n passages, chance alone finds terms whose
 * rarities add up to log n, so the evidence is the sum of rarities divided by log n. docs/decisions/answers.md has the measurements.
 */
const RELEVANCE = { least: 0.56, evidenceExponent: 1.3 };
/**
 * Rarity is counted as if a tenant had this many more passages. These shares of them contain a grammatical word, a common word, and any
 * other word. Otherwise, in a tenant of few files, "kept" would be as rare as a name.
 */
const PRIOR = { passages: 1_000, grammatical: 0.8, common: 0.4, other: 0.000_5 };

/** The terms in one language. */
export class QuestionTerms {
  readonly finder: TermFinder;
  private readonly weightSum: number;
  private readonly raritySum: number;
  /** The sum of rarities that chance alone finds. */
  private readonly chance: number;
  /** The terms that belong to the subject. */
  private readonly subject: readonly string[];

  /**
   * `weights` has the maximum that each term can add to the score of a text, `rarities` the rarity of each term, and `passages` the number
   * of passages of the tenant.
   */
  constructor(
    readonly weights: ReadonlyMap<string, number>,
    private readonly rarities: ReadonlyMap<string, number>,
    language: TextLanguage,
    passages: number,
  ) {
    this.finder = new TermFinder(analyzerOf(language), weights.keys());
    this.weightSum = sumOf(weights.values());
    this.raritySum = sumOf(rarities.values());
    this.chance = Math.log(passages + PRIOR.passages);
    const terms = [...rarities.keys()];
    const subject = terms.filter((term) => commonnessOf(term, language) !== 'grammatical');
    this.subject = subject.length > 0 ? subject : terms;
  }

  /** Counts how often the text contains each of the terms. */
  repeatsIn(text: string): Map<string, number> {
    const repeats = new Map<string, number>();
    for (const { term } of this.finder.find(text)) repeats.set(term, (repeats.get(term) ?? 0) + 1);
    return repeats;
  }

  /** The BM25 score as a share of the highest possible score. `relativeLength` is the length of the text relative to the average. */
  score(repeats: ReadonlyMap<string, number>, relativeLength: number): number {
    if (this.weightSum <= 0) return 0;
    const saturation = K1 * (1 - B + B * relativeLength);
    let score = 0;
    for (const [term, count] of repeats) score += ((this.weights.get(term) ?? 0) * count) / (count + saturation);
    return score / this.weightSum;
  }

  /** The relevance of a text that contains these terms. A text with 1 or more suffices for an answer. */
  relevanceOf(found: ReadonlySet<string>): number {
    const known = [...this.rarities].filter(([term]) => found.has(term));
    const rarity = sumOf(known.map(([, one]) => one));
    const evidence = (rarity / this.chance) ** RELEVANCE.evidenceExponent;
    const relevance = rarity === 0 ? 0 : ((rarity / this.raritySum) * evidence) / RELEVANCE.least;
    // A text that contains all terms is relevant, however common the terms are.
    const hasAll = this.subject.length > 0 && this.subject.every((term) => found.has(term));
    return hasAll ? Math.max(relevance, 1) : relevance;
  }
}

const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, one) => sum + one, 0);

/** The terms in each language of the tenant's files. A text is compared with those of its own language. */
export class QuestionWords {
  private readonly known = new Map<TextLanguage, QuestionTerms>();

  /** `weights` is ordered by the position of each term. */
  constructor(
    private readonly terms: readonly QueryTerm[],
    private readonly weights: Pick<RankingWeights, 'terms' | 'frequencies' | 'passages'>,
  ) {}

  in(language: TextLanguage): QuestionTerms {
    let terms = this.known.get(language);
    if (terms) return terms;
    const { passages } = this.weights;
    const weights = new Map<string, number>();
    const rarities = new Map<string, number>();
    for (const [position, { language: other, term }] of this.terms.entries()) {
      if (other !== language) continue;
      weights.set(term, this.weights.terms[position] ?? 0);
      const prior = PRIOR.passages * PRIOR[commonnessOf(term, language)];
      const frequency = (this.weights.frequencies[position] ?? 0) + prior;
      rarities.set(term, inverseDocumentFrequency(frequency, passages + PRIOR.passages));
    }
    terms = new QuestionTerms(weights, rarities, language, passages);
    this.known.set(language, terms);
    return terms;
  }
}
