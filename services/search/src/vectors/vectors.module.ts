import { Database, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { QueryEmbedder } from '../providers/query-embedder.service.js';
import { openVectorIndex } from './open-vector-index.adapter.js';
import { VectorFeed } from './vector-feed.store.js';
import type { VectorIndex } from './vector-index.port.js';
import { VectorSearch } from './vector-search.service.js';

const VECTOR_INDEX = Symbol('vector index');

const vectorIndex = {
  provide: VECTOR_INDEX,
  inject: [SEARCH_CONFIG, Database, VectorFeed, LOGGER],
  useFactory: (config: SearchConfig, database: Database, feed: VectorFeed, logger: Logger) =>
    openVectorIndex({ database, feed, bytesMax: config.KILN_VECTOR_MEMORY_BYTES, logger }),
};
const vectorSearch = {
  provide: VectorSearch,
  inject: [Database, VECTOR_INDEX, QueryEmbedder, LOGGER],
  useFactory: (database: Database, index: VectorIndex, embedder: QueryEmbedder, logger: Logger) =>
    new VectorSearch({ database, index, embedder, logger }),
};

/** Finds chunks by the vectors of their texts. */
@Module({
  imports: [ProvidersModule],
  providers: [VectorFeed, vectorIndex, vectorSearch],
  exports: [VectorSearch],
})
export class VectorsModule implements OnApplicationShutdown {
  constructor(@Inject(VECTOR_INDEX) private readonly index: VectorIndex) {}

  async onApplicationShutdown(): Promise<void> {
    await this.index.close();
  }
}
