import { Database, Metrics, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { readGeneration } from '../opensearch/generation.store.js';
import { OpenSearchConnection } from '../opensearch/opensearch-connection.adapter.js';
import { OpenSearchModule } from '../opensearch/opensearch.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { openVectorIndex } from './open-vector-index.adapter.js';
import { CopiedVectorIndex } from './copies/copied-vector-index.adapter.js';
import { OpenSearchVectorIndexes } from './opensearch/opensearch-vector-indexes.adapter.js';
import { VectorCopyRequests } from './copies/vector-copy-requests.service.js';
import { VectorCopyWorker } from './copies/vector-copy.worker.js';
import { VectorFeed } from './vector-feed.store.js';
import { VECTOR_INDEX, type VectorIndex } from './vector-index.port.js';
import { VectorSearch } from './vector-search.service.js';

const COPY_WORKER = Symbol('worker of vector copies');

/** Null unless vectors are in OpenSearch. */
const openSearchIndexes = {
  provide: OpenSearchVectorIndexes,
  inject: [OpenSearchConnection, SEARCH_CONFIG, Database],
  useFactory: async (connection: OpenSearchConnection | null, config: SearchConfig, database: Database) => {
    if (connection === null || config.KILN_SEARCH_VECTORS !== 'opensearch') return null;
    return new OpenSearchVectorIndexes({
      connection,
      database,
      prefix: `${config.KILN_SEARCH_INDEX}-${await readGeneration(database)}-vectors-`,
      shards: config.KILN_SEARCH_SHARDS,
      replicas: config.KILN_SEARCH_REPLICAS,
    });
  },
};
const vectorIndex = {
  provide: VECTOR_INDEX,
  inject: [SEARCH_CONFIG, Database, VectorFeed, OpenSearchVectorIndexes, LOGGER],
  useFactory: (
    { KILN_VECTOR_MEMORY_BYTES: bytesMax }: SearchConfig,
    database: Database,
    feed: VectorFeed,
    openSearch: OpenSearchVectorIndexes | null,
    logger: Logger,
  ) => openVectorIndex({ database, feed, bytesMax, openSearch, logger }),
};
/** Null without copies. */
const copyWorker = {
  provide: COPY_WORKER,
  inject: [VECTOR_INDEX, VectorSearch, VectorCopyRequests, Metrics, LOGGER],
  useFactory: (
    index: VectorIndex,
    search: VectorSearch,
    requests: VectorCopyRequests,
    metrics: Metrics,
    logger: Logger,
  ) => {
    if (!(index instanceof CopiedVectorIndex)) return null;
    const worker = new VectorCopyWorker(index, requests, (id) => search.setsOf(id), logger);
    metrics.gauge(
      'kiln_search_vector_copies_behind',
      'Copies of vectors that are missing or lack changes',
      () => worker.lag.copies,
    );
    metrics.gauge(
      'kiln_search_vector_copy_lag_changes',
      'How many changes a copy of vectors lacks at most',
      () => worker.lag.changes,
    );
    return worker;
  },
};

/** Finds chunks by the vectors of their texts. */
@Module({
  imports: [OpenSearchModule, ProvidersModule],
  providers: [VectorFeed, VectorCopyRequests, VectorSearch, openSearchIndexes, vectorIndex, copyWorker],
  exports: [VectorSearch, VectorCopyRequests],
})
export class VectorsModule implements OnApplicationShutdown {
  constructor(@Inject(VECTOR_INDEX) private readonly index: VectorIndex) {}

  async onApplicationShutdown(): Promise<void> {
    await this.index.close();
  }
}
