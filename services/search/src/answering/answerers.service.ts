import { badRequest, type CallContext, type SearchInput } from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { Answerer } from './answerer.port.js';
import { ChatAnswerer } from './chat-answerer.adapter.js';
import { ChatModels } from './chat-models.service.js';
import { ExtractiveAnswerer } from './extractive-answerer.adapter.js';
import { OrganizationInstructions } from './organization-instructions.adapter.js';

type Wish = Pick<SearchInput<'answer'>, 'model' | 'max_tokens'>;

/** Chooses who answers the questions of a caller: a chat model if one is available, otherwise the sentences of the files. */
@Injectable()
export class Answerers {
  constructor(
    private readonly models: ChatModels,
    private readonly extractive: ExtractiveAnswerer,
    @Inject(OrganizationInstructions) private readonly instructions: Pick<OrganizationInstructions, 'of'>,
  ) {}

  /** Throws BAD_REQUEST for a model that is not offered. */
  async for(context: CallContext, wish: Wish): Promise<Answerer> {
    return (await this.chatAnswerer(context, wish)) ?? this.extractive;
  }

  /** Throws BAD_REQUEST without a chat model, too. */
  async forJson(context: CallContext, wish: Wish): Promise<ChatAnswerer> {
    const answerer = await this.chatAnswerer(context, wish);
    if (answerer) return answerer;
    const reason = context.mode === 'test' ? 'test mode has none' : 'none is configured';
    throw badRequest(`answer_format needs a chat model, and ${reason}.`);
  }

  private async chatAnswerer(
    context: CallContext,
    { model, max_tokens: tokensMax }: Wish,
  ): Promise<ChatAnswerer | null> {
    const { models } = this;
    const chosen = await models.choose(context, model);
    if (!chosen) return null;
    const answerTokensMax = Math.min(tokensMax ?? models.answerTokensMax, models.answerTokensMax);
    const instructions = await this.instructions.of(context);
    return new ChatAnswerer({ models, chosen, tenantId: context.tenantId, answerTokensMax, instructions });
  }
}
