import type { AnswerHistory } from '@kiln/contracts';
import type { ChatAnswer, ChatQuestion } from '@kiln/extraction/chat/chat-model';
import { randomBytes } from 'node:crypto';
import type { AnswerEnd, Answerer, Question, RewrittenQuestion } from './answerer.port.js';
import type { ChatModels, ChosenModel } from './chat-models.service.js';
import { estimateTokens, type Excerpt } from './domain/excerpt.js';
import { promptOf, withoutSign, type Prompt } from './domain/prompt.js';
import { translateFailure } from './domain/provider-failures.js';
import { questionIn, rewritingPromptOf } from './domain/rewrite-question.js';

const CODE_BYTES = 16;
/** Of a rewritten question. */
const QUESTION_TOKENS_MAX = 300;

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

  async rewrite(question: string, history: AnswerHistory, signal: AbortSignal): Promise<RewrittenQuestion | null> {
    const pieces = this.ask(rewritingPromptOf(question, history), QUESTION_TOKENS_MAX, signal);
    try {
      for (;;) {
        const { done, value } = await pieces.next();
        if (done) return { text: questionIn(value.text) ?? question, usage: value.usage };
      }
    } catch (error) {
      throw translateFailure(error);
    }
  }

  async *answer(
    { text }: Question,
    excerpts: readonly Excerpt[],
    signal: AbortSignal,
  ): AsyncGenerator<string, AnswerEnd> {
    const { answerTokensMax, instructions } = this.parts;
    const prompt = promptOf(text, excerpts, { code: randomBytes(CODE_BYTES).toString('hex'), instructions });
    const end: AnswerEnd = { isWhole: true, usage: null };
    try {
      yield* withoutSign(keepEnd(this.ask(prompt, answerTokensMax, signal), end));
    } catch (error) {
      throw translateFailure(error);
    }
    return end;
  }

  private ask({ system, user }: Prompt, tokensMax: number, signal: AbortSignal): AsyncGenerator<string, ChatAnswer> {
    const { models, chosen, tenantId } = this.parts;
    const messages: ChatQuestion['messages'] = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ];
    const asker = { owner: tenantId, promptTokens: estimateTokens(system) + estimateTokens(user) };
    return models.stream(chosen, { messages, tokensMax, temperature: 0 }, asker, signal);
  }
}

async function* keepEnd(pieces: AsyncGenerator<string, ChatAnswer>, end: AnswerEnd): AsyncGenerator<string> {
  const { isWhole, usage } = yield* pieces;
  end.isWhole = isWhole;
  end.usage = usage;
}
