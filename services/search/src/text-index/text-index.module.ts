import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { MergeRequests } from '../merging/merge-requests.service.js';
import { MergeStore } from '../merging/merge.store.js';
import { MergeMetrics } from '../merging/merge.metrics.js';
import { MergeWorker } from '../merging/merge.worker.js';
import { PurgeStore } from '../merging/purge.store.js';
import { VectorsModule } from '../vectors/vectors.module.js';
import { PostingsMemory } from './postings-memory.domain.js';
import { PostgresTextIndex } from './postgres-text-index.adapter.js';
import { TEXT_INDEX } from './text-index.port.js';

const postingsMemory = {
  provide: PostingsMemory,
  inject: [SEARCH_CONFIG],
  useFactory: (config: SearchConfig) => new PostingsMemory(config.KILN_POSTINGS_MEMORY_BYTES),
};

/** The text index, and the worker that keeps its searches fast. */
@Module({
  imports: [VectorsModule],
  providers: [
    MergeStore,
    PurgeStore,
    MergeRequests,
    MergeMetrics,
    MergeWorker,
    postingsMemory,
    { provide: TEXT_INDEX, useClass: PostgresTextIndex },
  ],
  exports: [TEXT_INDEX, MergeRequests],
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
