/** The embedding port: returns one vector for each text. Callers do not depend on the provider. */
export interface Embedder {
  /** The name of the model at the provider. */
  readonly model: string;
  /**
   * Returns the vectors in the order of the inputs. All have the same length and contain finite numbers.
   * @throws ProviderError
   * @throws the reason of the signal when it is aborted.
   */
  embed(inputs: readonly string[], signal: AbortSignal): Promise<Embedded>;
}

export interface Embedded {
  vectors: number[][];
  /** The count that the provider reports. 0 when it reports none. */
  tokens: number;
}
