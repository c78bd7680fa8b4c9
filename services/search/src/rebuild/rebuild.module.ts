import { Module } from '@nestjs/common';
import { IndexingModule } from '../indexing/indexing.module.js';
import { OpenSearchModule } from '../opensearch/opensearch.module.js';
import { TextIndexModule } from '../text-index/text-index.module.js';
import { ServedVectorsStore } from '../vectors/served-vectors.store.js';
import { ChooseTextStore } from './choose-text-store.usecase.js';
import { FileUpdatesConsumer } from './file-updates.consumer.js';
import { IndexedFiles } from './indexed-files.adapter.js';
import { RebuildController } from './rebuild.controller.js';
import { RebuildFiles } from './rebuild-files.usecase.js';
import { ReindexFiles } from './reindex-files.usecase.js';

/** Makes the index of files again, from their variants. */
@Module({
  imports: [IndexingModule, TextIndexModule, OpenSearchModule],
  controllers: [RebuildController, FileUpdatesConsumer],
  providers: [RebuildFiles, ChooseTextStore, ReindexFiles, IndexedFiles, ServedVectorsStore],
  exports: [IndexedFiles],
})
export class RebuildModule {}
