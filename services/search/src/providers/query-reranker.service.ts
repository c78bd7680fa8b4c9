// Scores how relevant texts are to a query, with the reranking model that the operator has configured.
import { unavailable, type CallContext } from '@kiln/contracts';
import { FallbackChain, type ChainLink, type ChainOptions } from '@kiln/model-clients/admission/fallback-chain';
import type { Reranker } from '@kiln/model-clients/rerank/reranker';

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

  /** Returns scores from 0 to 1 in the order of the texts. Throws UNAVAILABLE when no server answers in time. */
  async rerank(query: string, texts: readonly string[]): Promise<number[]> {
    const signal = AbortSignal.timeout(this.deadlineMs);
    try {
      return await this.chain.run((reranker) => reranker.rerank(query, texts, signal), signal);
    } catch (error) {
      throw unavailable('The reranking model', error);
    }
  }
}
