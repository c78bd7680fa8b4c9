// Scores how relevant texts are to a query, with the reranking model that the operator has configured.
import { unavailable, type CallContext } from '@kiln/contracts';
import { FallbackChain, type ChainLink, type ChainOptions } from '@kiln/model-clients/admission/fallback-chain';
import type { Reranker } from '@kiln/model-clients/rerank/reranker';
import { estimateTokens } from './estimate-tokens.domain.js';

export class QueryReranker {
  private readonly chain: FallbackChain<Reranker>;

  constructor(
    links: readonly ChainLink<Reranker>[],
    private readonly deadlineMs: number,
    onFailure: NonNullable<ChainOptions['onFailure']>,
  ) {
    this.chain = new FallbackChain(links, { rounds: 1, onFailure });
  }

  /** Test mode never calls a provider. */
  isAvailable({ mode }: Pick<CallContext, 'mode'>): boolean {
    return this.chain.links.length > 0 && mode !== 'test';
  }

  /**
   * Returns scores from 0 to 1 in the order of the texts. Tenants share the slots of each server. Throws UNAVAILABLE when no server answers
   * in time.
   */
  async rerank(
    query: string,
    texts: readonly string[],
    { tenantId }: Pick<CallContext, 'tenantId'>,
  ): Promise<number[]> {
    const signal = AbortSignal.timeout(this.deadlineMs);
    // The model reads the query with each text.
    const queryTokens = estimateTokens(query);
    const tokens = texts.reduce((sum, text) => sum + queryTokens + estimateTokens(text), 0);
    const asker = { owner: tenantId, tokens };
    try {
      return await this.chain.run((reranker) => reranker.rerank(query, texts, signal), signal, { asker });
    } catch (error) {
      throw unavailable('The reranking model', error);
    }
  }
}
