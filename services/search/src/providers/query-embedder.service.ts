// Embeds queries with the models of a tenant's vectors. The vectors are cached, because people repeat queries, and the next page of results
// needs the same query.
import { badRequest, unavailable, type CallContext } from '@kiln/contracts';
import { EmbeddingEngines, type ChosenEmbedder } from '@kiln/model-clients/embedding/embedding-engines';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import { embeddingServers, type EmbeddingConfig } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import QuickLRU from 'quick-lru';
import { SEARCH_CONFIG } from '../config.js';
import { estimateTokens } from './estimate-tokens.domain.js';
import { OrganizationKeys } from './organization-keys.adapter.js';

const TIME_TO_LIVE_MS = 600_000;
const VECTORS_MAX = 1_000;
/** How long a search waits for the vector of its query. */
const DEADLINE_MS = 3_000;

@Injectable()
export class QueryEmbedder {
  deadlineMs = DEADLINE_MS;
  /** False when the operator has configured no server at all. */
  private readonly isConfigured: boolean;
  private readonly vectors = new QuickLRU<string, Promise<Float32Array>>({
    maxSize: VECTORS_MAX,
    maxAge: TIME_TO_LIVE_MS,
  });

  constructor(
    @Inject(EmbeddingEngines) private readonly engines: Pick<EmbeddingEngines, 'choose'>,
    @Inject(OrganizationKeys) private readonly keys: Pick<OrganizationKeys, 'keyOf'>,
    @Inject(SEARCH_CONFIG) config: EmbeddingConfig,
  ) {
    const { managed, ownUrl } = embeddingServers(config);
    this.isConfigured = managed.length > 0 || ownUrl !== null;
  }

  /** Whether a server embeds texts for the caller. Throws UNAVAILABLE when the jobs service cannot tell. */
  async isAvailable(context: CallContext): Promise<boolean> {
    if (!this.isConfigured || context.mode === 'test') return false;
    const ownKey = await this.keys.keyOf('embedding', context);
    return this.engines.choose({ isTest: false, ownKey, requested: undefined }) !== null;
  }

  /**
   * Returns the vector of the text. Throws UNAVAILABLE when no server answers in time, and BAD_REQUEST when the organization must change
   * its key or the model of its files.
   */
  async embed(text: string, model: string, context: CallContext): Promise<Float32Array> {
    const cacheKey = JSON.stringify([context.tenantId, model, text]);
    const known = this.vectors.get(cacheKey);
    if (known) return known;
    const vector = this.ask(text, model, context);
    this.vectors.set(cacheKey, vector);
    // A caller that shares this promise fails as well. The next caller asks again.
    vector.catch(() => this.vectors.delete(cacheKey));
    return vector;
  }

  private async ask(text: string, model: string, context: CallContext): Promise<Float32Array> {
    const signal = AbortSignal.timeout(this.deadlineMs);
    try {
      const chosen = await this.choose(model, context);
      const asker = { owner: context.tenantId, tokens: estimateTokens(text) };
      const { vectors } = await chosen.chain.run((embedder) => embedder.embed([text], signal), signal, { asker });
      return Float32Array.from(vectors[0] ?? []);
    } catch (error) {
      if (signal.aborted) throw unavailable('The provider of embeddings', error);
      throw error instanceof ProviderError ? translate(error, model) : error;
    }
  }

  private async choose(model: string, context: CallContext): Promise<ChosenEmbedder> {
    const ownKey = await this.keys.keyOf('embedding', context);
    const chosen = this.engines.choose({ isTest: context.mode === 'test', ownKey, requested: model });
    if (chosen === null) throw unavailable('The provider of embeddings');
    return chosen;
  }
}

function translate(error: ProviderError, model: string): Error {
  if (error.code === 'provider_unauthorized') {
    return badRequest(
      "mode: the provider of embeddings refuses your organization's own key. Correct or delete the provider key embedding, or use mode text.",
    );
  }
  if (error.fault !== 'refused') return unavailable('The provider of embeddings', error);
  return badRequest(
    `mode: the provider of embeddings does not accept the model "${model}", which your files were embedded with. Process the files again with another embedding_model, or use mode text.`,
  );
}
