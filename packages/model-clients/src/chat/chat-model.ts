/** The chat port: takes a conversation and returns the assistant's answer, complete or as a stream. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  /** Text, or parts of which some are pictures. */
  content: string | readonly ChatPart[];
}

/** A part of a message. The URL of a picture may be a `data:` URI. */
export type ChatPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface ChatQuestion {
  messages: readonly ChatMessage[];
  /** The maximum length of the answer, in tokens of the model. A model that counts its reasoning as well gets some more. */
  tokensMax?: number;
  /** 0 makes answers repeatable, as far as the model can. Default: that of the model. */
  temperature?: number;
  /** A JSON Schema of the answer. A server that does not know it is asked without it, so the prompt has to contain it as well. */
  schema?: object;
}

export interface ChatAnswer {
  text: string;
  /** False when the answer was cut off: at a limit, or a streamed one by a filter of the provider. */
  isWhole: boolean;
  usage: ChatUsage | null;
}

/** The count that the provider reports. Null when it reports none. */
export interface ChatUsage {
  promptTokens: number;
  answerTokens: number;
}

export interface ChatModel {
  /** The name of the model at the provider. */
  readonly model: string;
  /** @throws ProviderError, or the reason of the signal when it is aborted. */
  complete(question: ChatQuestion, signal: AbortSignal): Promise<ChatAnswer>;
  /**
   * Yields the pieces of the answer as they arrive, and returns the whole answer. Throws if the answer is incomplete. A caller
   * that stops reading closes the connection.
   * @throws ProviderError, or the reason of the signal when it is aborted.
   */
  stream(question: ChatQuestion, signal: AbortSignal): AsyncGenerator<string, ChatAnswer>;
}
