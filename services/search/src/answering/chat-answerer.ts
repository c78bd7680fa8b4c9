import type { ChosenServers } from '@kiln/extraction/remote';
import { randomBytes } from 'node:crypto';
import type { Answerer, Question } from './answerer.js';
import type { ChatModels } from './chat-models.js';
import type { Excerpt } from './domain/excerpt.js';
import { withoutSign } from './domain/no-answer.js';
import { promptOf } from './domain/prompt.js';
import { translateFailure } from './domain/provider-failures.js';

const CODE_BYTES = 16;
const ANSWER_TOKENS_MAX = 800;

/** Answers with a chat model. */
export class ChatAnswerer implements Answerer {
  constructor(
    private readonly models: ChatModels,
    private readonly servers: ChosenServers['servers'],
  ) {}

  /** Throws CodedError, or the signal's reason. */
  async *answer({ text }: Question, excerpts: readonly Excerpt[], signal: AbortSignal): AsyncGenerator<string> {
    const { system, user } = promptOf(text, excerpts, randomBytes(CODE_BYTES).toString('hex'));
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: user },
    ];
    const asked = { messages, tokensMax: ANSWER_TOKENS_MAX, temperature: 0 };
    try {
      yield* withoutSign(this.models.stream(this.servers, asked, signal));
    } catch (error) {
      throw translateFailure(error);
    }
  }
}
