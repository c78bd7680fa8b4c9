// Chooses the servers that embed the chunks of a file, and the model: the servers that the operator has configured, or the one that the
// organization has its own key for. All configured servers have the same models, so any of them may answer.
import {
  EngineGuard,
  endpointName,
  FallbackChain,
  OpenAiEmbedder,
  providerEndpoint,
  ProviderError,
  type ChainLink,
  type ChainOptions,
  type Embedder,
  type ProviderEndpoint,
  type ProviderHttp,
} from '@kiln/extraction/remote';
import { managedEngines, type EmbeddingConfig } from '@kiln/platform';

export interface EmbeddingEnginesParts {
  config: EmbeddingConfig;
  http: ProviderHttp;
  onFailure: NonNullable<ChainOptions['onFailure']>;
}

export interface EmbeddingWish {
  isTest: boolean;
  ownKey: string | null;
  /** The model that the request or the settings of the organization name. */
  requested: string | undefined;
}

export interface ChosenEmbedder {
  chain: FallbackChain<Embedder>;
  model: string;
  key: 'managed' | 'organization';
}

/** Starting over costs more than waiting a little for the rest of the embeddings. */
const PATIENCE_MS = 30_000;
const ROUNDS = 4;

interface Target {
  endpoint: ProviderEndpoint;
  guard: EngineGuard;
}

export class EmbeddingEngines {
  private readonly managed: Target[];
  private readonly own: { url: string; guard: EngineGuard } | null;

  constructor(private readonly parts: EmbeddingEnginesParts) {
    const { config } = parts;
    const limits = {
      concurrency: config.KILN_EMBEDDING_CONCURRENCY,
      requestsPerMinute: config.KILN_EMBEDDING_REQUESTS_PER_MINUTE ?? null,
      patienceMs: PATIENCE_MS,
    };
    const urls = config.KILN_EMBEDDING_URL ?? [];
    this.managed = managedEngines(urls, config.KILN_EMBEDDING_KEY).flatMap((engine) =>
      engine === null
        ? []
        : [
            {
              endpoint: providerEndpoint('embedding', { baseUrl: engine.url, key: engine.key }),
              guard: new EngineGuard(limits),
            },
          ],
    );
    const ownUrl = config.KILN_EMBEDDING_BYOK_URL ?? urls[0];
    this.own = ownUrl === undefined ? null : { url: ownUrl, guard: new EngineGuard({ ...limits, isShared: true }) };
  }

  /** Null when no server makes embeddings for this run. Throws ProviderError when no server has the model. */
  choose({ isTest, ownKey, requested }: EmbeddingWish): ChosenEmbedder | null {
    if (isTest) return null;
    const models = this.parts.config.KILN_EMBEDDING_MODEL;
    if (ownKey !== null && this.own !== null) {
      const endpoint = providerEndpoint('embedding', { baseUrl: this.own.url, key: ownKey, keyOwner: 'organization' });
      const model = requested ?? models[0] ?? '';
      return { chain: this.chain([{ endpoint, guard: this.own.guard }], model), model, key: 'organization' };
    }
    const [first] = this.managed;
    if (first === undefined) return null;
    const model = this.offeredModel(requested, first.endpoint);
    return { chain: this.chain(this.managed, model), model, key: 'managed' };
  }

  /** The operator pays, so the operator decides which models are available. */
  private offeredModel(requested: string | undefined, endpoint: ProviderEndpoint): string {
    const models = this.parts.config.KILN_EMBEDDING_MODEL;
    if (requested !== undefined && !models.includes(requested)) {
      const message = `The embedding model "${requested}" is not offered here. Use ${models.join(' or ')}, or a provider key of your organization.`;
      throw new ProviderError('refused', endpoint, { message });
    }
    return requested ?? models[0] ?? '';
  }

  private chain(targets: readonly Target[], model: string): FallbackChain<Embedder> {
    const { config, http, onFailure } = this.parts;
    const links = targets.map(({ endpoint, guard }): ChainLink<Embedder> => {
      const deadlineMs = config.KILN_EMBEDDING_DEADLINE_MS;
      const dimensions = config.KILN_EMBEDDING_DIMENSIONS;
      const engine = new OpenAiEmbedder({ endpoint, http, model, dimensions, deadlineMs });
      return { name: endpointName(endpoint), engine, remote: { endpoint, guard } };
    });
    return new FallbackChain(links, { rounds: ROUNDS, onFailure });
  }
}
