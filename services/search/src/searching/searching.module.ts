import { Module } from '@nestjs/common';
import { MergingModule } from '../merging/merging.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ExistingFiles } from './existing-files.adapter.js';
import { RankExistingFiles } from './rank-existing-files.js';
import { SearchFiles } from './search-files.usecase.js';
import { SearchController } from './search.controller.js';
import { SearchStore } from './search.store.js';

/** Answers searches: ranks the matching files, and returns a snippet of each. */
@Module({
  imports: [MergingModule, ProvidersModule],
  controllers: [SearchController],
  providers: [SearchFiles, RankExistingFiles, ExistingFiles, SearchStore],
})
export class SearchingModule {}
