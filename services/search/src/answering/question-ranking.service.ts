// Finds the candidates for an answer: the files that a search for the question's words ranks best, and the chunks nearest to its meaning.
// The quotes and minuses of a question are not search syntax. Answering uses nothing else of searching.
import type { CallContext } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { facetsOfFilter } from '../postings/domain/facet.js';
import { withoutSyntax } from '../searching/domain/query-syntax.js';
import { RankExistingFiles } from '../searching/rank-existing-files.usecase.js';
import type { SearchFilter } from '../text-index/indexed-text.domain.js';
import type { VectorHit } from '../vectors/vector-index.port.js';
import { VectorSearch } from '../vectors/vector-search.service.js';
import { QuestionWords } from './domain/question-terms.js';

/** A chunk that a ranking found. Its file exists, and its score is from 0 to 1. */
export type RelevantChunk = Pick<VectorHit, 'fileId' | 'index' | 'score'>;

export interface QuestionRanking {
  words: QuestionWords;
  /** The best chunk of each file, by words. The best come first, as in `byMeaning`. */
  byWords: RelevantChunk[];
  /** The nearest chunks, by vectors. Empty without vectors. */
  byMeaning: RelevantChunk[];
}

/**
 * The maximum number of files, and of chunks found by meaning, whatever `top_k` is. Several of the best chunks may be in one file, or
 * repeated in several.
 */
const FOUND_MAX = 10;

/** Most models place unrelated texts below this cosine. With other models, the chat model decides. */
const COSINE_MIN = 0.3;

@Injectable()
export class RankForQuestion {
  constructor(
    private readonly files: RankExistingFiles,
    private readonly vectors: VectorSearch,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  async rank(context: CallContext, question: string, filter: SearchFilter): Promise<QuestionRanking> {
    const [ranking, byMeaning] = await Promise.all([
      this.files.rank(context, withoutSyntax(question), filter, { limit: FOUND_MAX }),
      this.nearest(context, question, filter),
    ]);
    const { files, terms, weights } = ranking;
    const byWords = files.map(({ fileId, chunk, score }) => ({ fileId, index: chunk, score }));
    return { words: new QuestionWords(terms, weights), byWords, byMeaning };
  }

  /** Without vectors, only words find candidates. */
  private async nearest(context: CallContext, text: string, filter: SearchFilter): Promise<RelevantChunk[]> {
    try {
      if (!(await this.vectors.canFind(context))) return [];
      const facets = facetsOfFilter(filter);
      const rank = async (ranked: number) => {
        const nearest = {
          text,
          facets,
          fileIds: filter.fileIds,
          limit: ranked,
          of: 'chunk' as const,
          scores: 'exact' as const,
        };
        const { hits } = await this.vectors.nearest(nearest, context);
        return { files: hits, total: hits.length };
      };
      const { ranking } = await this.files.among(context, FOUND_MAX, rank, { where: filter.where });
      return ranking.files
        .filter(({ score }) => score >= COSINE_MIN)
        .map(({ fileId, index, score }) => ({ fileId, index, score: Math.min(score, 1) }));
    } catch (error) {
      const { requestId, tenantId } = context;
      this.logger.warn({ err: error, requestId, tenantId }, 'A question was searched by words only');
      return [];
    }
  }
}
