import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { MergeRequests } from '../merging/merge-requests.service.js';
import { MergeStore } from '../merging/merge.store.js';
import { MergeMetrics } from '../merging/merge.metrics.js';
import { MergeWorker } from '../merging/merge.worker.js';
import { TAILS } from '../merging/tails.port.js';
import { PurgeStore } from '../merging/purge.store.js';
import { OpenSearchModule } from '../opensearch/opensearch.module.js';
import { TailMerges } from '../opensearch/tail-merges.service.js';
import { VectorsModule } from '../vectors/vectors.module.js';
import { ChunkStore } from './chunk.store.js';
import { PostingsMemory } from './postings-memory.domain.js';
import { TextIndex } from './text-index.service.js';

const postingsMemory = {
  provide: PostingsMemory,
  inject: [SEARCH_CONFIG],
  useFactory: (config: SearchConfig) => new PostingsMemory(config.KILN_POSTINGS_MEMORY_BYTES),
};

const tails = {
  provide: TAILS,
  inject: [MergeStore, TailMerges],
  useFactory: (blocks: MergeStore, merges: TailMerges | null) => merges ?? blocks,
};

/** The text index, and the worker that keeps its searches fast. */
@Module({
  imports: [VectorsModule, OpenSearchModule],
  providers: [tails, PurgeStore, MergeRequests, MergeMetrics, MergeWorker, postingsMemory, TextIndex, ChunkStore],
  exports: [TextIndex, ChunkStore, MergeRequests, OpenSearchModule],
})
export class TextIndexModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly worker: MergeWorker) {}

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}
