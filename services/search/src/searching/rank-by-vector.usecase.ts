// Ranks files by the vectors of their chunks: those that exist, pass the filter and meet the query's clauses.
import { unavailable, type CallContext } from '@kiln/contracts';
import { within } from '@kiln/resilience';
import { Injectable } from '@nestjs/common';
import { facetsOfFilter } from '../postings/domain/facet.js';
import type { SearchFilter } from '../text-index/indexed-text.domain.js';
import { VectorSearch, type NearChunk, type NearChunks, type NearestQuery } from '../vectors/vector-search.service.js';
import { bestOfEach, filesIn, withOthers } from './domain/found.js';
import { mayHaveClauses, meaningOf } from './domain/search-query.js';
import { RANKED_MAX, RankExistingFiles, type RankingOf } from './rank-existing-files.usecase.js';

interface VectorRequest extends FindRequest {
  /** Whether the caller needs exact cosines, or only ranks. */
  scores: NearestQuery['scores'];
}

interface RankedByVector extends RankingOf<NearChunk>, Pick<NearChunks, 'notSearched'> {}

export interface FindRequest {
  query: string;
  filter: SearchFilter;
  limit: number;
  /** Whether a file is one result, or each of its chunks. */
  group: 'file' | 'chunk';
  /** The maximum number of chunks of one file. */
  maxPerFile: number | undefined;
  /** The longest metadata of the details of files. Undefined: no details are needed. */
  metadataBytesMax: number | undefined;
  context: CallContext;
}

/** Only texts decide phrases and exclusions. For a query that has any, the vectors rank the best files by text. */
const FILES_WITH_CLAUSES_MAX = RANKED_MAX;
/** So many times more chunks are ranked at a time when the chunks of a file are limited, until there are enough of other files. */
const GROWTH = 4;

@Injectable()
export class RankByVector {
  constructor(
    private readonly vectors: VectorSearch,
    private readonly files: RankExistingFiles,
  ) {}

  /**
   * Returns each file with its best chunk, or the best chunks. A query of exclusions only finds nothing. Throws UNAVAILABLE after `deadlineMs`. The next search
   * can use what was read until then.
   */
  async rank(request: VectorRequest, deadlineMs: number): Promise<RankedByVector> {
    if (meaningOf(request.query) === '') return { files: [], total: 0, notSearched: [] };
    const ranked = mayHaveClauses(request.query) ? this.rankMatching(request) : this.rankAll(request);
    return within(deadlineMs, ranked, () => {
      throw unavailable('The vector index');
    });
  }

  private async rankAll(request: VectorRequest): Promise<RankedByVector> {
    const { query, filter, group, limit, maxPerFile = limit, metadataBytesMax, context, scores } = request;
    const of = maxPerFile === 1 ? 'file' : group;
    const rank = async (ranked: number) => {
      const nearest = {
        text: meaningOf(query),
        limit: ranked,
        scores,
        of,
        facets: facetsOfFilter(filter),
        fileIds: filter.fileIds,
      };
      const { hits, files, notSearched } = await this.vectors.nearest(nearest, context);
      return { files: hits, total: files, notSearched };
    };
    const wanted = { metadataBytesMax, where: filter.where };
    if (of === 'file') return (await this.files.among(context, limit, rank, wanted)).ranking;
    const isLimited = maxPerFile < limit;
    for (let ranked = limit; ;) {
      if (isLimited) ranked = Math.min(ranked * GROWTH, RANKED_MAX);
      const { ranking, isComplete } = await this.files.among(context, ranked, rank, wanted);
      const files = bestOfEach(ranking.files, maxPerFile).slice(0, limit);
      if (files.length === limit || (isComplete && ranking.files.length < ranked)) return { ...ranking, files };
      if (isLimited && ranked < RANKED_MAX) continue;
      // Long files can have all of the nearest chunks.
      const byFile = await this.rankAll({ ...request, maxPerFile: 1 });
      return { ...byFile, files: withOthers(files, byFile.files).slice(0, limit) };
    }
  }

  private async rankMatching(request: VectorRequest): Promise<RankedByVector> {
    const { query, filter, limit, context } = request;
    const [matching, nearest] = await Promise.all([
      this.files.rank(context, query, filter, { limit: FILES_WITH_CLAUSES_MAX }),
      this.rankAll({ ...request, limit: FILES_WITH_CLAUSES_MAX }),
    ]);
    const ids = new Set(matching.files.map(({ fileId }) => fileId));
    const files = nearest.files.filter(({ fileId }) => ids.has(fileId));
    return { files: files.slice(0, limit), total: filesIn(files), notSearched: nearest.notSearched };
  }
}
