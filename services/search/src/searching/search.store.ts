// Reads the index and ranks files. One statement reads what is scored, a second one the texts of the results. They run without a
// transaction, whose two round trips would be half the cost of a short search. If the second statement does not find a file, or if the
// search needs more statements, it is repeated in a transaction with one snapshot.
import type { TextLanguage } from '@kiln/contracts';
import { Database } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { CheckBounds } from './check-phrases.store.js';
import { searchQueryOf } from './domain/search-query.js';
import { KnownLanguages } from './domain/known-languages.js';
import {
  FurtherLanguages,
  rankByOneStatement,
  rankInSnapshot,
  termsOf,
  type Ranking,
  type Search,
  type StatementBounds,
} from './rank-postings.store.js';

@Injectable()
export class SearchStore {
  bounds: StatementBounds = { numbers: 262_144, furtherPostings: 1_048_576 };
  checkBounds: CheckBounds = {
    files: 1_000,
    passagesPerFile: 200,
    passages: 1_000,
    bytes: 4_194_304,
    passagesPerStatement: 200,
    bytesPerStatement: 1_048_576,
  };

  private readonly knownLanguages = new KnownLanguages();

  constructor(private readonly database: Database) {}

  /**
   * Returns the best `limit` files that have all of `facets` and meet the query's clauses. Throws BAD_REQUEST for a query with too many
   * clauses.
   */
  async rank(tenantId: string, query: string, facets: readonly string[], limit: number): Promise<Ranking> {
    for (;;) {
      const ranking = await this.rankIn(this.knownLanguages.of(tenantId), { tenantId, facets, limit }, query);
      if (ranking) return ranking;
    }
  }

  /** Returns null when the tenant has files of further languages, which are known then. */
  private async rankIn(
    languages: readonly TextLanguage[],
    options: Pick<Search, 'tenantId' | 'facets' | 'limit'>,
    text: string,
  ): Promise<Ranking | null> {
    const { bounds, checkBounds } = this;
    const query = searchQueryOf(text, languages);
    const search = { ...options, query, languages, ...termsOf(query, options.facets), bounds, checkBounds };
    try {
      const inSnapshot = () =>
        this.database.transaction((snapshot) => rankInSnapshot(snapshot, search), { snapshot: true });
      return (await rankByOneStatement(this.database, search)) ?? (await inSnapshot());
    } catch (error) {
      if (!(error instanceof FurtherLanguages)) throw error;
      this.knownLanguages.set(options.tenantId, error.languages);
      return null;
    }
  }
}
