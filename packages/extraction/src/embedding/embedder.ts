/** The embedding port: returns one vector for each text. Callers do not depend on the provider. */
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
  /** The count that the provider reports. 0 when it reports none. */
  tokens: number;
}
