/** Chooses the servers that embed texts for an organization, and the model. */
import { FallbackChain, type ChainLink, type ChainOptions } from '../admission/fallback-chain.js';
import type { ModelServers } from '../admission/model-servers.js';
import { endpointName, type ProviderEndpoint } from '../http/provider-endpoint.js';
import { ProviderError } from '../http/provider-error.js';
import type { ProviderHttp } from '../http/provider-http.js';
import type { Embedder } from './embedder.js';
import { OpenAiEmbedder } from './openai-embedder.js';

export interface EmbeddingEnginesOptions {
  servers: ModelServers;
  http: ProviderHttp;
  /** Models that the operator offers. The first is the default. */
  models: readonly string[];
  /** Requested from models that can shorten their vectors. */
  dimensions: number | undefined;
  /** Milliseconds for one request. */
  deadlineMs: number;
  /** How often all servers are tried, and what to do about failures. */
  fallback: ChainOptions;
}

export interface EmbeddingWish {
  /** Test mode never calls a provider. */
  isTest: boolean;
  /** The key of the organization. */
  ownKey: string | null;
  /** The model that the request or the settings of the organization name. */
  requested: string | undefined;
}

export interface ChosenEmbedder {
  chain: FallbackChain<Embedder>;
  model: string;
  key: 'managed' | 'organization';
}

export class EmbeddingEngines {
  constructor(private readonly options: EmbeddingEnginesOptions) {}

  /** Null when no server makes embeddings. Throws ProviderError when no server has the model. */
  choose({ isTest, ownKey, requested }: EmbeddingWish): ChosenEmbedder | null {
    const chosen = isTest ? null : this.options.servers.choose(ownKey);
    if (chosen === null) return null;
    const { servers, key } = chosen;
    const model = requested ?? this.options.models[0] ?? '';
    // The operator pays for managed keys, and decides which models are available.
    if (key === 'managed') this.assertOffered(model, servers[0].endpoint);
    const links = servers.map(({ endpoint, breaker }): ChainLink<Embedder> => {
      const { http, dimensions, deadlineMs } = this.options;
      const engine = new OpenAiEmbedder({ endpoint, http, model, dimensions, deadlineMs });
      return { name: endpointName(endpoint), engine, remote: { endpoint, breaker } };
    });
    return { chain: new FallbackChain(links, this.options.fallback), model, key };
  }

  private assertOffered(model: string, endpoint: ProviderEndpoint): void {
    const { models } = this.options;
    if (models.includes(model)) return;
    const message = `The embedding model "${model}" is not offered here. Use ${models.join(' or ')}, or a provider key of your organization.`;
    throw new ProviderError('refused', endpoint, { message });
  }
}
