import type { AnswerHistory, AnswerSchema } from '@kiln/contracts';
import type { ChatAnswer, ChatMessage, ChatQuestion } from '@kiln/model-clients/chat/chat-model';
import { randomBytes } from 'node:crypto';
import { sumOfUsage, type AnswerEnd, type Answerer, type Question, type RewrittenQuestion } from './answerer.port.js';
import type { ChatModels, ChosenModel } from './chat-models.service.js';
import type { Excerpt } from './domain/excerpt.js';
import { estimateTokens } from '../providers/estimate-tokens.domain.js';
import { readReply, replySchemaOf } from './domain/json-answer.js';
import { SourceAddresses, withoutUnknownLinks } from './domain/link-filter.js';
import { jsonPromptOf, promptOf, withoutSign, type Prompt } from './domain/prompt.js';
import { isWordless, noJson, translateFailure } from './domain/provider-failures.js';
import { questionIn, rewritingPromptOf } from './domain/rewrite-question.js';

const CODE_BYTES = 16;
/** Of a rewritten question. */
const QUESTION_TOKENS_MAX = 300;

/** A message without pictures. */
type TextMessage = ChatMessage & { content: string };
type TextQuestion = Omit<ChatQuestion, 'messages'> & { messages: readonly TextMessage[] };

interface ChatAnswererParts {
  models: Pick<ChatModels, 'stream'>;
  chosen: ChosenModel;
  tenantId: string;
  /** The longest answer, in tokens of the model. */
  answerTokensMax: number;
  /** What the organization asks of each answer. */
  instructions: string | null;
}

/** Answers with a chat model. Throws CodedError, or the reason of the signal. */
export class ChatAnswerer implements Answerer {
  readonly model: string;

  constructor(private readonly parts: ChatAnswererParts) {
    this.model = parts.chosen.model;
  }

  /** Null when the model wrote no word, as one that reasons within its tokens may do. */
  async rewrite(question: string, history: AnswerHistory, signal: AbortSignal): Promise<RewrittenQuestion | null> {
    const messages = messagesOf(rewritingPromptOf(question, history));
    const known = new SourceAddresses([], [question, ...history.map(({ content }) => content)]);
    try {
      const { text, usage } = await this.complete({ messages, tokensMax: QUESTION_TOKENS_MAX }, signal);
      return { text: questionIn(withoutUnknownLinks(text, known)) ?? question, usage };
    } catch (error) {
      if (isWordless(error)) return null;
      throw error;
    }
  }

  /** The value matches the schema, or is null when the excerpts do not answer the question. Throws UNAVAILABLE when the model fails. */
  async answerAsJson(question: string, excerpts: readonly Excerpt[], schema: AnswerSchema, signal: AbortSignal) {
    const { answerTokensMax: tokensMax } = this.parts;
    const messages = messagesOf(jsonPromptOf(question, excerpts, { ...this.promptOptions(), schema }));
    const asked = { tokensMax, schema: replySchemaOf(schema) };
    const first = await this.complete({ messages, ...asked }, signal);
    const known = new SourceAddresses(excerpts, [JSON.stringify(schema)]);
    const reply = readReply(first.text, schema, known);
    if ('value' in reply) return { value: reply.value, usage: first.usage };
    const correction = `This reply does not match the schema: ${reply.problem}. Reply with the corrected JSON and nothing else.`;
    messages.push({ role: 'assistant', content: first.text }, { role: 'user', content: correction });
    const second = await this.complete({ messages, ...asked }, signal);
    const corrected = readReply(second.text, schema, known);
    if ('value' in corrected) return { value: corrected.value, usage: sumOfUsage(first.usage, second.usage) };
    throw noJson(second.isWhole, corrected.problem);
  }

  async *answer(
    { text }: Question,
    excerpts: readonly Excerpt[],
    signal: AbortSignal,
  ): AsyncGenerator<string, AnswerEnd> {
    const messages = messagesOf(promptOf(text, excerpts, this.promptOptions()));
    const asked = { messages, tokensMax: this.parts.answerTokensMax };
    const end: AnswerEnd = { isWhole: true, usage: null };
    try {
      yield* withoutSign(keepEnd(this.ask(asked, signal), end));
    } catch (error) {
      throw translateFailure(error);
    }
    return end;
  }

  private promptOptions() {
    return { code: randomBytes(CODE_BYTES).toString('hex'), instructions: this.parts.instructions };
  }

  private async complete(question: TextQuestion, signal: AbortSignal): Promise<ChatAnswer> {
    const pieces = this.ask(question, signal);
    try {
      for (;;) {
        const { done, value } = await pieces.next();
        if (done) return value;
      }
    } catch (error) {
      throw translateFailure(error);
    }
  }

  private ask(question: TextQuestion, signal: AbortSignal): AsyncGenerator<string, ChatAnswer> {
    const { models, chosen, tenantId } = this.parts;
    const promptTokens = question.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    return models.stream(chosen, { temperature: 0, ...question }, { owner: tenantId, promptTokens }, signal);
  }
}

const messagesOf = ({ system, user }: Prompt): TextMessage[] => [
  { role: 'system', content: system },
  { role: 'user', content: user },
];

async function* keepEnd(pieces: AsyncGenerator<string, ChatAnswer>, end: AnswerEnd): AsyncGenerator<string> {
  const { isWhole, usage } = yield* pieces;
  end.isWhole = isWhole;
  end.usage = usage;
}
