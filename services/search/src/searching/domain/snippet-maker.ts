// Makes the snippets of one search. A text is searched for the query's terms in its own language.
import type { TextLanguage } from '@kiln/contracts';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import type { QueryTerm } from './search-query.js';
import { makeSnippet } from './snippet.js';
import { TermFinder } from './term-finder.js';

interface Wanted {
  /** By term. */
  weights: ReadonlyMap<string, number>;
  finder: TermFinder;
}

export class SnippetMaker {
  private readonly wanted = new Map<TextLanguage, Wanted>();

  /** `weights`: of each term, by its position. */
  constructor(
    private readonly terms: readonly QueryTerm[],
    private readonly weights: readonly number[],
  ) {}

  make(text: string, language: TextLanguage): string {
    const { weights, finder } = this.wantedIn(language);
    return makeSnippet(text, weights, finder);
  }

  private wantedIn(language: TextLanguage): Wanted {
    let wanted = this.wanted.get(language);
    if (wanted) return wanted;
    const weights = new Map<string, number>();
    for (const [position, term] of this.terms.entries()) {
      if (term.language === language) weights.set(term.term, this.weights[position] ?? 0);
    }
    wanted = { weights, finder: new TermFinder(analyzerOf(language), weights.keys()) };
    this.wanted.set(language, wanted);
    return wanted;
  }
}
