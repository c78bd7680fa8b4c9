/** The chat port: takes a conversation and returns the assistant's answer, complete or as a stream. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ChatQuestion {
  messages: readonly ChatMessage[];
  /** Longest answer, in the model's tokens. */
  tokensMax?: number;
  /** 0 for the same answer every time, as far as a model can; the model's own default when absent. */
  temperature?: number;
}

export interface ChatAnswer {
  text: string;
  /** False when the answer was cut off at a limit. */
  isWhole: boolean;
  usage: ChatUsage | null;
}

/** The count that the provider reports. Null when it reports none. */
export interface ChatUsage {
  promptTokens: number;
  answerTokens: number;
}

export interface ChatModel {
  /** As the provider calls it. */
  readonly model: string;
  /** @throws ProviderError, or the signal's reason when it was aborted. */
  complete(question: ChatQuestion, signal: AbortSignal): Promise<ChatAnswer>;
  /**
   * The pieces of the answer as they come, and in the end all of it. An answer that breaks off throws, whatever came before; to
   * stop reading closes the connection.
   * @throws the same.
   */
  stream(question: ChatQuestion, signal: AbortSignal): AsyncGenerator<string, ChatAnswer>;
}
