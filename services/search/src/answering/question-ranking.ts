// Ranks files for a question like a search does. A question is a text: its quotes and minuses are no search syntax.
import type { CallContext, TextLanguage } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { MergeWorker } from '../merging/merge.worker.js';
import { facetsOfFilter } from '../postings/domain/facet.js';
import { normaliseScore } from '../searching/domain/bm25.js';
import { withoutSyntax } from '../searching/domain/query-syntax.js';
import { RankExistingFiles } from '../searching/rank-existing-files.js';
import { QuestionWords } from './domain/question-terms.js';

export interface RankedForQuestion {
  fileId: string;
  language: TextLanguage;
  /** From 0 to 1. */
  score: number;
  /** The index of the best chunk. */
  chunk: number;
}

export interface QuestionRanking {
  /** The best first. All exist. */
  files: RankedForQuestion[];
  words: QuestionWords;
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
    const facets = facetsOfFilter({ space, contentType: undefined, metadata: undefined });
    const ranking = await this.files.rank(context, withoutSyntax(question), facets, limit);
    this.mergeWorker.afterSearch(context.tenantId, ranking.unmerged);
    const { query, weights } = ranking;
    return {
      files: ranking.files.map(({ fileId, language, chunk, score }) => ({
        fileId,
        language,
        chunk,
        score: normaliseScore(score, weights.scoreMax),
      })),
      words: new QuestionWords(query.terms, weights.terms),
    };
  }
}
