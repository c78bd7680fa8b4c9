import type { CallContext } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import type { Answerer } from './answerer.port.js';
import { ChatAnswerer } from './chat-answerer.adapter.js';
import { ChatModels } from './chat-models.service.js';
import { ExtractiveAnswerer } from './extractive-answerer.adapter.js';

/** Chooses who answers the questions of a caller: a chat model if one is available, otherwise the sentences of the files. */
@Injectable()
export class Answerers {
  constructor(
    private readonly models: ChatModels,
    private readonly extractive: ExtractiveAnswerer,
  ) {}

  async for(context: CallContext): Promise<Answerer> {
    const servers = await this.models.choose(context);
    return servers ? new ChatAnswerer(this.models, servers, context.tenantId) : this.extractive;
  }
}
