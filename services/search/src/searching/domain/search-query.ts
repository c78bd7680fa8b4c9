// A query as the index needs it: the terms that rank files, and the clauses that a file must meet.
import { badRequest } from '@kiln/contracts';
import { termsOfQuery, type QueryTerm } from '../../analysis/domain/analyzer.js';
import { clauseOf, type Clause } from './clause.js';
import { QUOTES, readQuery } from './query-syntax.js';

export interface SearchQuery {
  /** Those of phrases included, those of excluded words not. Empty when the query finds nothing. */
  readonly terms: readonly QueryTerm[];
  readonly clauses: readonly Clause[];
}

const CLAUSES_MAX = 20;

/** What a query means to a model: its words in their order, those of phrases included, those that are excluded not. */
export const meaningOf = (query: string): string =>
  readQuery(query).wanted.replace(QUOTES, ' ').replace(/\s+/g, ' ').trim();

/** Throws BAD_REQUEST for more than 20 phrases and exclusions. */
export function searchQueryOf(query: string): SearchQuery {
  const { wanted, phrases, excluded } = readQuery(query);
  if (phrases.length + excluded.length > CLAUSES_MAX) {
    throw badRequest(
      `query must have at most ${CLAUSES_MAX} quoted phrases and excluded words. Leave some out, or remove their quotes and minuses.`,
    );
  }
  const clauses = [
    ...phrases.map((text) => clauseOf(text, false)),
    ...excluded.map((text) => clauseOf(text, true)),
  ].filter((clause) => clause !== null);
  return { terms: termsOfQuery(wanted), clauses };
}
