// A query as the index needs it: the terms that rank files, and the clauses that a file must meet. A tenant's files can have several
// languages. The query is analyzed in each, and finds a file by what it means in the file's language.
import { badRequest, type TextLanguage } from '@kiln/contracts';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import { indexTerm } from '../../analysis/domain/index-term.js';
import { clauseOf, type Clause } from './clause.js';
import { QUOTES, readQuery } from './query-syntax.js';

export interface QueryTerm {
  readonly language: TextLanguage;
  /** The term as the analyzer of the language returns it. */
  readonly term: string;
}

/** A word of the query, with its term in each language. */
interface QueryWord {
  /** How often the query contains it. */
  readonly repeats: number;
  /**
   * The positions of the word's terms in `SearchQuery.terms`: at most one per language, since a word can be a stop word in some languages.
   */
  readonly terms: readonly number[];
}

export interface SearchQuery {
  /** The distinct terms of wanted words and phrases, without excluded words. Empty when the query finds nothing. */
  readonly terms: readonly QueryTerm[];
  readonly words: readonly QueryWord[];
  readonly clauses: readonly Clause[];
}

const CLAUSES_MAX = 20;

/** The text of a query for a model: its words in their order, those of phrases included, without excluded words. */
export const meaningOf = (query: string): string =>
  readQuery(query).wanted.replace(QUOTES, ' ').replace(/\s+/g, ' ').trim();

/** Whether the query may have clauses. A phrase of stop words is not a clause. */
export function mayHaveClauses(query: string): boolean {
  const { phrases, excluded } = readQuery(query);
  return phrases.length + excluded.length > 0;
}

/** Throws BAD_REQUEST for more than 20 phrases and exclusions. */
export function searchQueryOf(query: string, languages: readonly TextLanguage[]): SearchQuery {
  const { wanted, phrases, excluded } = readQuery(query);
  if (phrases.length + excluded.length > CLAUSES_MAX) {
    throw badRequest(
      `query must have at most ${CLAUSES_MAX} quoted phrases and excluded words. Leave some out, or remove their quotes and minuses.`,
    );
  }
  const clauses = [
    ...phrases.map((text) => clauseOf(text, false, languages)),
    ...excluded.map((text) => clauseOf(text, true, languages)),
  ].filter((clause) => clause !== null);
  return { ...wordsOf(wanted, languages), clauses };
}

/** What a search reads from the index. */
export interface LookUp {
  /** The terms of the query as the index stores them, then the facets, then the terms that only exclude. */
  readonly terms: readonly string[];
  /** The positions of the terms of each clause, in each language. */
  readonly clauses: readonly (readonly (readonly number[])[])[];
}

export function lookUpOf(query: SearchQuery, facets: readonly string[]): LookUp {
  const terms = [...query.terms.map(({ language, term }) => indexTerm(language, term)), ...facets];
  const positions = new Map<string, number>();
  if (query.clauses.length > 0) for (const [position, term] of terms.entries()) positions.set(term, position);
  const positionOf = (term: string) => {
    const known = positions.get(term) ?? terms.push(term) - 1;
    positions.set(term, known);
    return known;
  };
  const clauses = query.clauses.map(({ variants }) => variants.map((variant) => variant.terms.map(positionOf)));
  return { terms, clauses };
}

/** Words that have the same terms in all languages are one word. */
function wordsOf(text: string, languages: readonly TextLanguage[]): Pick<SearchQuery, 'terms' | 'words'> {
  const terms: QueryTerm[] = [];
  const termsAt = new Map<string, number[]>();
  for (const language of languages) {
    const positions = new Map<string, number>();
    for (const { term, start, end } of analyzerOf(language).tokensOfQuery(text)) {
      const position = positions.get(term) ?? terms.push({ language, term }) - 1;
      positions.set(term, position);
      const place = `${start} ${end}`;
      const known = termsAt.get(place);
      if (known) known.push(position);
      else termsAt.set(place, [position]);
    }
  }
  const words = new Map<string, { repeats: number; terms: number[] }>();
  for (const positions of termsAt.values()) {
    const key = positions.join(' ');
    const known = words.get(key);
    if (known) known.repeats++;
    else words.set(key, { repeats: 1, terms: positions });
  }
  return { terms, words: [...words.values()] };
}
