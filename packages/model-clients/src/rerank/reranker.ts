/** The reranking port: says how relevant each text is to a query. Callers do not depend on the provider. */
export interface Reranker {
  /**
   * Returns scores from 0 to 1 in the order of the documents.
   * @throws ProviderError
   * @throws the reason of the signal when it is aborted.
   */
  rerank(query: string, documents: readonly string[], signal: AbortSignal): Promise<number[]>;
}
