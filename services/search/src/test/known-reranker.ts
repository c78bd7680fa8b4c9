// A reranking model whose relevances are known: a spec sets that of a text; that of others is 0.
import { unavailable } from '@kiln/contracts';

export class KnownReranker {
  isThere = false;
  isDown = false;
  readonly relevances = new Map<string, number>();

  isAvailable(): boolean {
    return this.isThere;
  }

  rerank(_query: string, texts: readonly string[]): Promise<number[]> {
    if (this.isDown) return Promise.reject(unavailable('The reranking model'));
    return Promise.resolve(texts.map((text) => this.relevances.get(text) ?? 0));
  }
}
