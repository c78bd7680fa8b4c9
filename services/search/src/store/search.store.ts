// Reads: the statistics a ranking needs, and the ranking itself.
import { Database } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { CollectionStatistics, RankingPlan } from '../domain/bm25.js';
import { strongLexeme } from '../domain/passage.js';
import { passageStatistics, rankFiles, rankFilesOfSpace, termStatistics } from './rank.statements.js';

export interface SearchFilter {
  space: string | undefined;
  mediaType: string | undefined;
  metadata: Readonly<Record<string, string>> | undefined;
}

export interface RankedFile {
  fileId: string;
  score: number;
  /** The best chunk's text; empty for a file without any. */
  body: string;
}

/** Terms consist of letters, digits and dots, so quoting them is safe; parameters keep even that out of the SQL. */
const quote = (lexeme: string) => `'${lexeme}'`;

@Injectable()
export class SearchStore {
  constructor(private readonly database: Database) {}

  async statistics(tenantId: string, terms: readonly string[]): Promise<CollectionStatistics> {
    const lexemes = terms.flatMap((term) => [term, strongLexeme(term)]);
    const [[totals], rows] = await Promise.all([
      this.database.query<{ chunks: number; chunk_length: number; titles: number; title_length: number }>(
        passageStatistics,
        [tenantId],
      ),
      this.database.query<{ term: string; passages: number }>(termStatistics, [tenantId, lexemes]),
    ]);
    return {
      chunks: totals?.chunks ?? 0,
      chunkLength: totals?.chunk_length ?? 0,
      titles: totals?.titles ?? 0,
      titleLength: totals?.title_length ?? 0,
      passages: new Map(rows.map((row) => [row.term, row.passages])),
    };
  }

  /** The best `limit` files, and how many there are. */
  async rank(
    tenantId: string,
    plan: RankingPlan,
    filter: SearchFilter,
    limit: number,
  ): Promise<{ files: RankedFile[]; total: number }> {
    const values = [
      tenantId,
      plan.drivers.map(quote).join(' | '),
      plan.terms.map(quote),
      plan.weights,
      plan.averageChunkLength || 1,
      plan.averageTitleLength || 1,
      limit,
      filter.mediaType ?? null,
      filter.metadata ? JSON.stringify(filter.metadata) : null,
    ];
    const rows = await this.database.query<{ file_id: string; score: number; total: number; body: string }>(
      filter.space === undefined ? rankFiles : rankFilesOfSpace,
      filter.space === undefined ? values : [...values, filter.space],
    );
    const files = rows.map(({ file_id: fileId, score, body }) => ({ fileId, score, body }));
    return { files, total: rows[0]?.total ?? 0 };
  }
}
