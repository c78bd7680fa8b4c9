import type { ChatQuestion } from '@kiln/extraction/chat/chat-model';
import type { ChosenServers } from '@kiln/extraction/remote/model-servers';
import { randomBytes } from 'node:crypto';
import type { AnswerEnd, Answerer, Question } from './answerer.port.js';
import type { ChatModels, ModelAsker } from './chat-models.service.js';
import { estimateTokens, type Excerpt } from './domain/excerpt.js';
import { promptOf, withoutSign } from './domain/prompt.js';
import { translateFailure } from './domain/provider-failures.js';

const CODE_BYTES = 16;

/** Answers with a chat model. */
export class ChatAnswerer implements Answerer {
  readonly isModel = true;

  constructor(
    private readonly models: ChatModels,
    private readonly servers: ChosenServers['servers'],
    private readonly tenantId: string,
  ) {}

  /** Throws CodedError, or the signal's reason. */
  async *answer(
    { text }: Question,
    excerpts: readonly Excerpt[],
    signal: AbortSignal,
  ): AsyncGenerator<string, AnswerEnd> {
    const { system, user } = promptOf(text, excerpts, randomBytes(CODE_BYTES).toString('hex'));
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: user },
    ];
    const asked = { messages, tokensMax: this.models.answerTokensMax, temperature: 0 };
    const asker = { owner: this.tenantId, promptTokens: estimateTokens(system) + estimateTokens(user) };
    const end: AnswerEnd = { isWhole: true };
    try {
      yield* withoutSign(this.pieces(asked, asker, end, signal));
    } catch (error) {
      throw translateFailure(error);
    }
    return end;
  }

  private async *pieces(
    asked: ChatQuestion,
    asker: ModelAsker,
    end: AnswerEnd,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const { isWhole } = yield* this.models.stream(this.servers, asked, asker, signal);
    end.isWhole = isWhole;
  }
}
