import { EmbeddingEngines } from '@kiln/model-clients/embedding/embedding-engines';
import { ModelServers } from '@kiln/model-clients/admission/model-servers';
import { endpointName } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { HttpReranker } from '@kiln/model-clients/rerank/http-reranker';
import { embeddingServers, HealthServer, rerankServers, Sealer } from '@kiln/platform';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { announceModels } from './announce-models.service.js';
import { EngineFailures } from './engine-failures.service.js';
import { OrganizationKeys } from './organization-keys.adapter.js';
import { PassageEmbedder } from './passage-embedder.service.js';
import { QueryEmbedder } from './query-embedder.service.js';
import { QueryReranker } from './query-reranker.service.js';
import { TestModelKey } from './test-model-key.usecase.js';

/** After this time, a search stops waiting for a free slot and finds by text alone. */
const PATIENCE_MS = 1_000;

const http = {
  provide: ProviderHttp,
  inject: [SEARCH_CONFIG],
  useFactory: (config: SearchConfig) => new ProviderHttp({ proxyUrl: config.KILN_OUTBOUND_PROXY }),
};
const sealer = {
  provide: Sealer,
  inject: [SEARCH_CONFIG],
  useFactory: (config: SearchConfig) => new Sealer(config.KILN_ENCRYPTION_KEY),
};

const engines = {
  provide: EmbeddingEngines,
  inject: [SEARCH_CONFIG, ProviderHttp, EngineFailures],
  useFactory: (config: SearchConfig, httpToUse: ProviderHttp, failures: EngineFailures) =>
    new EmbeddingEngines({
      servers: new ModelServers({ provider: 'embedding', ...embeddingServers(config), patienceMs: PATIENCE_MS }),
      http: httpToUse,
      models: config.KILN_EMBEDDING_MODEL,
      dimensions: config.KILN_EMBEDDING_DIMENSIONS,
      deadlineMs: config.KILN_EMBEDDING_DEADLINE_MS,
      fallback: { rounds: 1, onFailure: (engine, error) => failures.record(engine, error) },
    }),
};
const queryReranker = {
  provide: QueryReranker,
  inject: [SEARCH_CONFIG, ProviderHttp, EngineFailures],
  useFactory: (config: SearchConfig, httpToUse: ProviderHttp, failures: EngineFailures) => {
    const servers = new ModelServers({ provider: 'rerank', ...rerankServers(config), patienceMs: PATIENCE_MS });
    const deadlineMs = config.KILN_RERANK_DEADLINE_MS;
    const links = (servers.choose(null)?.servers ?? []).map(({ endpoint, breaker }) => ({
      name: endpointName(endpoint),
      engine: new HttpReranker({ endpoint, http: httpToUse, model: config.KILN_RERANK_MODEL, deadlineMs }),
      remote: { endpoint, breaker },
    }));
    return new QueryReranker(links, deadlineMs, (engine, error) => failures.record(engine, error));
  },
};

/** The providers that searches call: their servers, and the keys of operator or organization. */
@Module({
  providers: [
    http,
    sealer,
    EngineFailures,
    OrganizationKeys,
    engines,
    QueryEmbedder,
    PassageEmbedder,
    queryReranker,
    TestModelKey,
  ],
  exports: [
    ProviderHttp,
    EngineFailures,
    OrganizationKeys,
    QueryEmbedder,
    PassageEmbedder,
    QueryReranker,
    TestModelKey,
  ],
})
export class ProvidersModule implements OnApplicationShutdown {
  constructor(
    private readonly http: ProviderHttp,
    @Inject(SEARCH_CONFIG) config: SearchConfig,
    health: HealthServer,
  ) {
    announceModels(config, health);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
