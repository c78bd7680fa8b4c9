import { openObjectStore, type ObjectStore } from '@kiln/storage';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { MergingModule } from '../merging/merging.module.js';
import { IndexFiles } from './index-files.usecase.js';
import { IndexStore } from './index.store.js';
import { IndexingController } from './indexing.controller.js';
import { NewFilesStore } from './new-files.store.js';
import { OBJECT_STORE } from './object-store.port.js';

const objectStore = {
  provide: OBJECT_STORE,
  inject: [SEARCH_CONFIG],
  useFactory: (config: SearchConfig) => openObjectStore(config),
};

/** Indexes files: reads their chunks, analyzes the text, and replaces the file's previous index. */
@Module({
  imports: [MergingModule],
  controllers: [IndexingController],
  providers: [IndexFiles, IndexStore, NewFilesStore, objectStore],
  exports: [IndexFiles, objectStore],
})
export class IndexingModule implements OnApplicationShutdown {
  constructor(@Inject(OBJECT_STORE) private readonly objects: ObjectStore) {}

  onApplicationShutdown(): void {
    this.objects.close();
  }
}
