/** The embedding port: texts in, one vector each out. Which provider stands behind it, nobody who asks has to know. */
export interface Embedder {
  /** As the provider calls it. */
  readonly model: string;
  /**
   * Vectors in the order of the inputs, all of one length and made of finite numbers.
   * @throws ProviderError
   * @throws the signal's reason when it was aborted.
   */
  embed(inputs: readonly string[], signal: AbortSignal): Promise<Embedded>;
}

export interface Embedded {
  vectors: number[][];
  /** As the provider counted; 0 when it does not say. */
  tokens: number;
}
