import type { CallContext, SearchOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { QueryEmbedder } from '../providers/query-embedder.service.js';
import { QueryReranker } from '../providers/query-reranker.service.js';
import { ChatModels } from './chat-models.service.js';

@Injectable()
export class FindModels {
  constructor(
    private readonly embedder: QueryEmbedder,
    private readonly reranker: QueryReranker,
    private readonly chat: ChatModels,
  ) {}

  /** Throws UNAVAILABLE when the jobs service does not tell the organization's own keys. */
  async execute(context: CallContext): Promise<SearchOutput<'findModels'>> {
    const [embeddings, chatModels] = await Promise.all([
      this.embedder.isAvailable(context),
      this.chat.offered(context),
    ]);
    return { embeddings, reranking: this.reranker.isAvailable(context), chat_models: [...chatModels] };
  }
}
