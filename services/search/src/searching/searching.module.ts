import { Module } from '@nestjs/common';
import { MergingModule } from '../merging/merging.module.js';
import { VectorsModule } from '../vectors/vectors.module.js';
import { ExistingFiles } from './existing-files.adapter.js';
import { FindFiles } from './find-files.usecase.js';
import { RankByVector } from './rank-by-vector.usecase.js';
import { RankExistingFiles } from './rank-existing-files.usecase.js';
import { SearchFiles } from './search-files.usecase.js';
import { SearchController } from './search.controller.js';
import { SearchStore } from './search.store.js';

/** Answers searches: ranks the matching files, and returns a snippet of each. */
@Module({
  imports: [MergingModule, VectorsModule],
  controllers: [SearchController],
  providers: [SearchFiles, RankExistingFiles, RankByVector, FindFiles, ExistingFiles, SearchStore],
  exports: [RankExistingFiles],
})
export class SearchingModule {}
