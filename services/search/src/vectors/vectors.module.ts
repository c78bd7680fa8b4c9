import { Database, Metrics, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { openVectorIndex } from './open-vector-index.adapter.js';
import { PgVectorIndex } from './pgvector/pgvector-index.adapter.js';
import { VectorCopyRequests } from './copies/vector-copy-requests.service.js';
import { VectorCopyWorker } from './copies/vector-copy.worker.js';
import { VectorFeed } from './vector-feed.store.js';
import { VECTOR_INDEX, type VectorIndex } from './vector-index.port.js';
import { VectorSearch } from './vector-search.service.js';

const COPY_WORKER = Symbol('worker of vector copies');

const vectorIndex = {
  provide: VECTOR_INDEX,
  inject: [SEARCH_CONFIG, Database, VectorFeed, LOGGER],
  useFactory: (config: SearchConfig, database: Database, feed: VectorFeed, logger: Logger) =>
    openVectorIndex({ database, feed, bytesMax: config.KILN_VECTOR_MEMORY_BYTES, logger }),
};
/** Null without pgvector. */
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
    if (!(index instanceof PgVectorIndex)) return null;
    const worker = new VectorCopyWorker(index, requests, (id) => search.setsOf(id), logger);
    metrics.gauge('kiln_search_vector_copies_behind', 'Copies in pgvector that lack changes', () => worker.lag.copies);
    metrics.gauge(
      'kiln_search_vector_copy_lag_changes',
      'How many changes a copy in pgvector lacks at most',
      () => worker.lag.changes,
    );
    return worker;
  },
};

/** Finds chunks by the vectors of their texts. */
@Module({
  imports: [ProvidersModule],
  providers: [VectorFeed, VectorCopyRequests, VectorSearch, vectorIndex, copyWorker],
  exports: [VectorSearch, VectorCopyRequests],
})
export class VectorsModule implements OnApplicationShutdown {
  constructor(@Inject(VECTOR_INDEX) private readonly index: VectorIndex) {}

  async onApplicationShutdown(): Promise<void> {
    await this.index.close();
  }
}
