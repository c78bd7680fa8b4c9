/**
 * A client for servers with OpenAI's `POST /chat/completions` (https://platform.openai.com/docs/api-reference/chat/create), such as
 * vendors, Ollama, vLLM and LocalAI. Reads answers as a whole or as an event stream.
 */
import type { ProviderEndpoint } from '../http/provider-endpoint.js';
import { ProviderError } from '../http/provider-error.js';
import type { ProviderHttp, ProviderRequest } from '../http/provider-http.js';
import { recordOf } from '../http/record-of.js';
import type { ChatAnswer, ChatModel, ChatQuestion, ChatUsage } from './chat-model.js';
import { LearnedDialect, parametersIn, reasoningTokensIn, type ChatDialect } from './chat-dialect.js';
import { eventData, EventTooLongError } from './event-stream.js';

export interface OpenAiChatOptions {
  endpoint: ProviderEndpoint;
  http: ProviderHttp;
  model: string;
  /** Milliseconds for a whole answer. */
  deadlineMs: number;
}

const RESPONSE_BYTES_MAX = 8 * 1_048_576;
/** Large, because each few letters of a streamed answer have their own JSON envelope. */
const STREAM_BYTES_MAX = 64 * 1_048_576;
/** The finish reason of an answer whose rest the provider withholds. */
const FILTERED = 'content_filter';

export class OpenAiChat implements ChatModel {
  readonly model: string;
  private readonly dialect: LearnedDialect;

  constructor(private readonly options: OpenAiChatOptions) {
    this.model = options.model;
    this.dialect = new LearnedDialect(options.http, options.endpoint, options.model);
  }

  /** The most tokens that an answer may use, as far as the terms of the model are known. */
  answerTokensMax({ tokensMax = 0 }: Pick<ChatQuestion, 'tokensMax'>): number {
    return tokensMax + reasoningTokensIn(this.dialect.current);
  }

  async complete(question: ChatQuestion, signal: AbortSignal): Promise<ChatAnswer> {
    const { endpoint, http } = this.options;
    for (;;) {
      const dialect = this.dialect.current;
      try {
        return this.answerIn(await http.postForJson(endpoint, this.request(question, dialect, false), signal));
      } catch (error) {
        if (!this.dialect.learn(error, dialect)) throw error;
      }
    }
  }

  async *stream(question: ChatQuestion, signal: AbortSignal): AsyncGenerator<string, ChatAnswer> {
    for (;;) {
      const dialect = this.dialect.current;
      try {
        // A refusal precedes the first piece.
        return yield* this.streamIn(dialect, question, signal);
      } catch (error) {
        if (!this.dialect.learn(error, dialect)) throw error;
      }
    }
  }

  private answerIn(response: unknown): ChatAnswer {
    const { choice, usage } = parsePart(response);
    const { content = null } = recordOf(choice['message']);
    const finish = choice['finish_reason'];
    if (content === null && typeof finish === 'string') throw this.wordless();
    if (typeof content !== 'string') throw this.malformed(new Error('the answer has no choices[0].message.content'));
    if (finish === FILTERED) throw this.wordless();
    // A model that was asked for the words of a picture stops at once if there are none.
    if (content.trim() === '' && typeof finish === 'string' && finish !== 'stop') throw this.wordless();
    return { text: content, isWhole: finish !== 'length', usage };
  }

  private async *streamIn(
    dialect: ChatDialect,
    question: ChatQuestion,
    signal: AbortSignal,
  ): AsyncGenerator<string, ChatAnswer> {
    const { endpoint, http } = this.options;
    const answer: ChatAnswer = { text: '', isWhole: true, usage: null };
    let isOver = false;
    for await (const data of this.events(http.post(endpoint, this.request(question, dialect, true), signal))) {
      if (data === '[DONE]') return this.withWords(answer);
      const { choice, usage } = parsePart(this.parse(data));
      if (usage) answer.usage = usage;
      const finish = choice['finish_reason'];
      if (finish === 'length' || finish === FILTERED) answer.isWhole = false;
      isOver ||= typeof finish === 'string';
      const piece = recordOf(choice['delta'])['content'];
      if (typeof piece !== 'string' || piece === '') continue;
      answer.text += piece;
      yield piece;
    }
    // Some servers omit `[DONE]`. The last piece has a finish reason.
    if (isOver) return this.withWords(answer);
    throw new ProviderError('unreachable', endpoint, {
      cause: new Error('the stream ended in the middle of the answer'),
    });
  }

  private withWords(answer: ChatAnswer): ChatAnswer {
    if (answer.text.trim() !== '') return answer;
    throw this.wordless();
  }

  private wordless(): ProviderError {
    return new ProviderError('wordless', this.options.endpoint);
  }

  private request(question: ChatQuestion, dialect: ChatDialect, stream: boolean): ProviderRequest {
    const { model, deadlineMs } = this.options;
    return {
      path: '/chat/completions',
      headers: { 'content-type': 'application/json', ...(stream && { accept: 'text/event-stream' }) },
      body: JSON.stringify({
        model,
        messages: question.messages,
        ...parametersIn(dialect, question),
        ...(stream && { stream, stream_options: { include_usage: true } }),
      }),
      deadlineMs,
      responseBytesMax: stream ? STREAM_BYTES_MAX : RESPONSE_BYTES_MAX,
    };
  }

  private async *events(chunks: AsyncGenerator<Buffer>): AsyncGenerator<string> {
    try {
      yield* eventData(chunks);
    } catch (error) {
      throw error instanceof EventTooLongError ? this.malformed(error) : error;
    }
  }

  /** A server that fails during the answer reports it in an event, because the status is already sent. */
  private parse(data: string): unknown {
    let part: unknown;
    try {
      part = JSON.parse(data);
    } catch (error) {
      throw this.malformed(error);
    }
    const { error } = recordOf(part);
    if (error === undefined || error === null) return part;
    throw new ProviderError('server_error', this.options.endpoint, {
      cause: new Error('the stream ended with an error'),
    });
  }

  private malformed(cause: unknown): ProviderError {
    return new ProviderError('malformed', this.options.endpoint, { cause });
  }
}

function parsePart(part: unknown): { choice: Record<string, unknown>; usage: ChatUsage | null } {
  const { choices, usage } = recordOf(part);
  const { prompt_tokens: prompt, completion_tokens: completion } = recordOf(usage);
  const isCounted = Number.isSafeInteger(prompt) && Number.isSafeInteger(completion);
  return {
    choice: recordOf(Array.isArray(choices) ? choices[0] : null),
    usage: isCounted ? { promptTokens: Number(prompt), answerTokens: Number(completion) } : null,
  };
}
