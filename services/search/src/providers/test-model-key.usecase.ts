// Tests an organization's own key for embeddings or chat answers, with a few words.
import { notFound, type CallContext, type KeyTest, type SearchInput } from '@kiln/contracts';
import { OpenAiChat } from '@kiln/model-clients/chat/openai-chat';
import { OpenAiEmbedder } from '@kiln/model-clients/embedding/openai-embedder';
import { KEY_NOT_USED, testKey } from '@kiln/model-clients/http/key-test';
import { providerEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { chatServers, embeddingServers } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { OrganizationKeys } from './organization-keys.adapter.js';

type Input = SearchInput<'testModelKey'>;

const ANSWER_TOKENS_MAX = 16;

@Injectable()
export class TestModelKey {
  constructor(
    @Inject(SEARCH_CONFIG) private readonly config: SearchConfig,
    private readonly keys: OrganizationKeys,
    private readonly http: ProviderHttp,
  ) {}

  /** Throws NOT_FOUND without a key. */
  async execute({ provider }: Input, context: CallContext): Promise<KeyTest> {
    const key = await this.keys.freshKeyOf(provider, context);
    if (key === null) throw notFound('This provider has no key of yours.');
    const call = provider === 'chat' ? this.chatCall(key) : this.embeddingCall(key);
    return call === null ? KEY_NOT_USED : testKey(call, context.deadlineAt);
  }

  /** Null if the operator has configured no server for such keys. */
  private chatCall(key: string) {
    const { KILN_CHAT_MODEL: models, KILN_CHAT_DEADLINE_MS: deadlineMs } = this.config;
    const { ownUrl: baseUrl } = chatServers(this.config);
    const [model] = models ?? [];
    if (baseUrl === null || model === undefined) return null;
    const endpoint = providerEndpoint('chat', { baseUrl, key, keyOwner: 'organization' });
    const chat = new OpenAiChat({ endpoint, http: this.http, model, deadlineMs });
    const messages = [{ role: 'user' as const, content: 'Answer with one word: ready' }];
    return async (signal: AbortSignal) => {
      const pieces = chat.stream({ messages, tokensMax: ANSWER_TOKENS_MAX }, signal);
      await pieces.next();
      await pieces.return({ text: '', isWhole: false, usage: null });
    };
  }

  private embeddingCall(key: string) {
    const { KILN_EMBEDDING_DIMENSIONS: dimensions, KILN_EMBEDDING_DEADLINE_MS: deadlineMs } = this.config;
    const { ownUrl: baseUrl } = embeddingServers(this.config);
    const [model] = this.config.KILN_EMBEDDING_MODEL;
    if (baseUrl === null || model === undefined) return null;
    const endpoint = providerEndpoint('embedding', { baseUrl, key, keyOwner: 'organization' });
    const embedder = new OpenAiEmbedder({ endpoint, http: this.http, model, dimensions, deadlineMs });
    return (signal: AbortSignal) => embedder.embed(['Kiln'], signal);
  }
}
