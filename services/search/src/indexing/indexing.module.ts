import { openObjectStore, type ObjectStore } from '@kiln/storage';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { TextIndexModule } from '../text-index/text-index.module.js';
import { IndexFiles } from './index-files.usecase.js';
import { IndexingController } from './indexing.controller.js';
import { OBJECT_STORE } from './object-store.port.js';

const objectStore = {
  provide: OBJECT_STORE,
  inject: [SEARCH_CONFIG],
  useFactory: (config: SearchConfig) => openObjectStore(config),
};

/** Indexes files: reads their chunks, analyzes the text, and replaces the file's previous index. */
@Module({
  imports: [TextIndexModule],
  controllers: [IndexingController],
  providers: [IndexFiles, objectStore],
  exports: [IndexFiles, objectStore],
})
export class IndexingModule implements OnApplicationShutdown {
  constructor(@Inject(OBJECT_STORE) private readonly objects: ObjectStore) {}

  onApplicationShutdown(): void {
    this.objects.close();
  }
}
