// Ranks files by the vectors of their chunks: those that exist, pass the filter and meet the query's clauses.
import { unavailable, type CallContext } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { facetsOfFilter } from '../postings/domain/facet.js';
import type { SearchFilter } from '../text-index/text-index.port.js';
import type { VectorHit } from '../vectors/vector-index.port.js';
import { VectorSearch, type NearestQuery } from '../vectors/vector-search.service.js';
import { mayHaveClauses, meaningOf } from './domain/search-query.js';
import { RankExistingFiles, type RankingOf } from './rank-existing-files.usecase.js';

export interface VectorRequest extends FindRequest {
  /** Whether the caller needs exact cosines, or only ranks. */
  scores: NearestQuery['scores'];
}

export interface FindRequest {
  query: string;
  filter: SearchFilter;
  limit: number;
  context: CallContext;
}

/** Only texts decide phrases and exclusions. For a query that has any, the vectors rank the best files by text. */
const FILES_WITH_CLAUSES_MAX = 1_000;

@Injectable()
export class RankByVector {
  constructor(
    private readonly vectors: VectorSearch,
    private readonly files: RankExistingFiles,
  ) {}

  /**
   * Returns each file with its best chunk. A query of exclusions only finds nothing. Throws UNAVAILABLE after `deadlineMs`. The next search
   * can use what was read until then.
   */
  async rank(request: VectorRequest, deadlineMs: number): Promise<RankingOf<VectorHit>> {
    if (meaningOf(request.query) === '') return { files: [], total: 0 };
    return within(deadlineMs, mayHaveClauses(request.query) ? this.rankMatching(request) : this.rankAll(request));
  }

  private rankAll({ query, filter, limit, context, scores }: VectorRequest): Promise<RankingOf<VectorHit>> {
    return this.files.among(context, limit, async (ranked) => {
      const of = { of: 'file' as const, facets: facetsOfFilter(filter) };
      const nearest = { text: meaningOf(query), limit: ranked, scores, ...of };
      const { hits, files } = await this.vectors.nearest(nearest, context);
      return { files: hits, total: files };
    });
  }

  private async rankMatching(request: VectorRequest): Promise<RankingOf<VectorHit>> {
    const { query, filter, limit, context } = request;
    const [matching, nearest] = await Promise.all([
      this.files.rank(context, query, filter, FILES_WITH_CLAUSES_MAX),
      this.rankAll({ ...request, limit: FILES_WITH_CLAUSES_MAX }),
    ]);
    const ids = new Set(matching.files.map(({ fileId }) => fileId));
    const files = nearest.files.filter(({ fileId }) => ids.has(fileId));
    return { files: files.slice(0, limit), total: files.length };
  }
}

async function within<Result>(deadlineMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable('The vector index')), deadlineMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
