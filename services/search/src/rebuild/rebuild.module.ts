import { Module } from '@nestjs/common';
import { IndexingModule } from '../indexing/indexing.module.js';
import { ServedVectorsStore } from '../vectors/served-vectors.store.js';
import { IndexedFiles } from './indexed-files.adapter.js';
import { RebuildController } from './rebuild.controller.js';
import { RebuildFiles } from './rebuild-files.usecase.js';

/** Makes the index of files again, from their variants. */
@Module({
  imports: [IndexingModule],
  controllers: [RebuildController],
  providers: [RebuildFiles, IndexedFiles, ServedVectorsStore],
  exports: [IndexedFiles],
})
export class RebuildModule {}
