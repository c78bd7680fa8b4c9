import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { MergeRequests } from './merge-requests.service.js';
import { MergeStore } from './merge.store.js';
import { MergeWorker } from './merge.worker.js';
import { PurgeStore } from './purge.store.js';

/** Keeps searches fast, in the background: merges tails into posting blocks, and purges removed passages from the blocks. */
@Module({ providers: [MergeStore, PurgeStore, MergeRequests, MergeWorker], exports: [MergeRequests] })
export class MergingModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly worker: MergeWorker) {}

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}
