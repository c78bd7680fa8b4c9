// Orders the best results anew, by a model that reads the query and each text together.
import type { CallContext, NotServed } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { QueryReranker } from '../providers/query-reranker.service.js';
import type { Found } from './domain/found.js';
import { meaningOf } from './domain/search-query.js';

const RERANKED_MAX = 50;
/** Longer texts are cut: common models read 512 tokens. */
const CHARACTERS_MAX = 4_000;

const messages = {
  not_configured:
    'No reranking model is configured. Run `npm run kiln -- models pull ms-marco-MiniLM-L-6-v2`, or set KILN_RERANK_URL.',
  failed: 'The reranking model did not answer in time. Try again later.',
} as const;

@Injectable()
export class RerankChunks {
  constructor(
    @Inject(QueryReranker) private readonly reranker: Pick<QueryReranker, 'isAvailable' | 'rerank'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Returns the best 50 in their new order, then the others as they were. Without a model, the order is unchanged. */
  async rerank(found: Found, query: string, context: CallContext): Promise<Found> {
    if (!this.reranker.isAvailable(context)) return notServed(found, 'not_configured');
    const [best, others] = [found.chunks.slice(0, RERANKED_MAX), found.chunks.slice(RERANKED_MAX)];
    try {
      const texts = best.map(({ content }) => (content?.text ?? '').slice(0, CHARACTERS_MAX).toWellFormed());
      const relevances = await this.reranker.rerank(meaningOf(query), texts, context);
      const reranked = best.map((chunk, position) => {
        const score = relevances[position] ?? 0;
        return { ...chunk, score, scores: { ...chunk.scores, rerank: score } };
      });
      const lowest = Math.min(...relevances, 1);
      const rest = others.map((chunk) => ({ ...chunk, score: chunk.score * lowest }));
      return { ...found, chunks: [...reranked.toSorted((left, right) => right.score - left.score), ...rest] };
    } catch (error) {
      const { requestId, tenantId } = context;
      this.logger.warn({ err: error, requestId, tenantId }, 'A search was not reranked');
      return notServed(found, 'failed');
    }
  }
}

const notServed = (found: Found, reason: keyof typeof messages): Found => {
  const missing: NotServed = { part: 'rerank', reason, message: messages[reason] };
  return { ...found, notServed: [...found.notServed, missing] };
};
