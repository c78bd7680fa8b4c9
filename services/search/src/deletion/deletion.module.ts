import { Module } from '@nestjs/common';
import { CancellationModule } from '../cancellation/cancellation.module.js';
import { IndexStore } from '../text-index/index.store.js';
import { TextIndexModule } from '../text-index/text-index.module.js';
import { ClearReplaced } from './clear-replaced.usecase.js';
import { FileEventsConsumer } from './file-events.consumer.js';
import { FileRemovalStore } from './file-removal.store.js';
import { RemovalNotifier } from './removal-notifier.service.js';
import { RemovalWorker } from './removal.worker.js';
import { RequestRemoval } from './request-removal.usecase.js';

/** Removes deleted files and former contents of files from the index. A deleted file leaves a tombstone. */
@Module({
  imports: [CancellationModule, TextIndexModule],
  controllers: [FileEventsConsumer],
  providers: [RequestRemoval, ClearReplaced, IndexStore, RemovalNotifier, RemovalWorker, FileRemovalStore],
})
export class DeletionModule {
  constructor(worker: RemovalWorker, notifier: RemovalNotifier) {
    notifier.connect(worker);
  }
}
