// The composition root.
import { openObjectStore, type ObjectStore } from '@kiln/storage';
import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { SearchConfig } from './config.js';
import { FileRemovalStore } from './store/file-removal.store.js';
import { IndexStore } from './store/index.store.js';
import { MergeStore } from './store/merge.store.js';
import { PurgeStore } from './store/purge.store.js';
import { RefusedRunStore } from './store/refused-run.store.js';
import { SearchStore } from './store/search.store.js';
import { FileEventsConsumer } from './transport/file-events.consumer.js';
import { JobEventsConsumer } from './transport/job-events.consumer.js';
import { SearchController } from './transport/search.controller.js';
import { ForgetFiles } from './usecases/forget-files.usecase.js';
import { IndexFile } from './usecases/index-file.usecase.js';
import { MaintainIndex } from './usecases/maintain-index.usecase.js';
import { OBJECT_STORE } from './usecases/object-store.token.js';
import { RefuseRuns } from './usecases/refuse-runs.usecase.js';
import { SearchFiles } from './usecases/search-files.usecase.js';

@Module({})
export class SearchModule implements OnApplicationShutdown {
  static with(config: SearchConfig): DynamicModule {
    const objectStore = { provide: OBJECT_STORE, useFactory: () => openObjectStore(config) };
    const usecases = [IndexFile, SearchFiles, ForgetFiles, RefuseRuns, MaintainIndex];
    const stores = [IndexStore, SearchStore, MergeStore, PurgeStore, FileRemovalStore, RefusedRunStore];
    const controllers = [SearchController, FileEventsConsumer, JobEventsConsumer];
    return { module: SearchModule, controllers, providers: [...usecases, ...stores, objectStore] };
  }

  constructor(@Inject(OBJECT_STORE) private readonly objectStore: ObjectStore) {}

  onApplicationShutdown(): void {
    this.objectStore.close();
  }
}
