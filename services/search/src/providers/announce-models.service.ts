// Says in /readyz which models searches can use. Without them, a search is by words only, and the process is ready all the same.
import {
  embeddingServers,
  rerankServers,
  type EmbeddingConfig,
  type HealthServer,
  type RerankConfig,
} from '@kiln/platform';

export function announceModels(config: EmbeddingConfig & RerankConfig, health: Pick<HealthServer, 'setFact'>): void {
  const { managed, ownUrl } = embeddingServers(config);
  const embeds = managed.length > 0 || ownUrl !== null;
  health.setFact('embeddings', embeds ? 'configured' : 'none: set KILN_EMBEDDING_URL, or install a local model');
  const reranks = rerankServers(config).managed.length > 0;
  health.setFact('reranking', reranks ? 'configured' : 'none: set KILN_RERANK_URL, or install a local model');
}
