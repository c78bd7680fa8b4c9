// Ranks files for a question like a search does. A question is a text: its quotes and minuses are no search syntax.
import type { CallContext } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { termsOfQuery } from '../analysis/domain/analyzer.js';
import { MergeWorker } from '../merging/merge.worker.js';
import { facetsOfFilter } from '../postings/domain/facet.js';
import { normaliseScore } from '../searching/domain/bm25.js';
import { RankExistingFiles } from '../searching/rank-existing-files.js';

export interface RankedForQuestion {
  fileId: string;
  /** From 0 to 1. */
  score: number;
  /** The index of the best chunk. */
  chunk: number;
}

export interface QuestionRanking {
  /** The best first. All exist. */
  files: RankedForQuestion[];
  /** The most that each term of the question can add to the score of a text. */
  weights: ReadonlyMap<string, number>;
}

/** The only thing that answering takes from searching. */
@Injectable()
export class RankForQuestion {
  constructor(
    private readonly files: RankExistingFiles,
    private readonly mergeWorker: MergeWorker,
  ) {}

  async rank(
    context: CallContext,
    question: string,
    { space, limit }: { space: string | undefined; limit: number },
  ): Promise<QuestionRanking> {
    const terms = termsOfQuery(question);
    if (terms.length === 0) return { files: [], weights: new Map() };
    const facets = facetsOfFilter({ space, contentType: undefined, metadata: undefined });
    const ranking = await this.files.rank(context, { terms, clauses: [] }, facets, limit);
    this.mergeWorker.afterSearch(context.tenantId, ranking.unmerged);
    const { weights } = ranking;
    return {
      files: ranking.files.map(({ fileId, chunk, score }) => ({
        fileId,
        chunk,
        score: normaliseScore(score, weights.scoreMax),
      })),
      weights: new Map(terms.map(({ term }, position) => [term, weights.terms[position] ?? 0])),
    };
  }
}
