import { Module } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { MergeRequests } from '../merging/merge-requests.service.js';
import { MergeMetrics } from '../merging/merge.metrics.js';
import { MergeWorker } from '../merging/merge.worker.js';
import { PurgeStore } from '../merging/purge.store.js';
import { OpenSearchModule } from '../opensearch/opensearch.module.js';
import { VectorsModule } from '../vectors/vectors.module.js';
import { ChunkStore } from './chunk.store.js';
import { PostingsMemory } from './postings-memory.domain.js';
import { TextIndex } from './text-index.service.js';

const postingsMemory = {
  provide: PostingsMemory,
  inject: [SEARCH_CONFIG],
  useFactory: (config: SearchConfig) => new PostingsMemory(config.KILN_POSTINGS_MEMORY_BYTES),
};

/** The text index, and the worker that keeps its searches fast. */
@Module({
  imports: [VectorsModule, OpenSearchModule],
  providers: [PurgeStore, MergeRequests, MergeMetrics, MergeWorker, postingsMemory, TextIndex, ChunkStore],
  exports: [TextIndex, ChunkStore, MergeRequests, OpenSearchModule],
})
export class TextIndexModule {}
