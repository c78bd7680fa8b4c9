import { Module } from '@nestjs/common';
import { ProvidersModule } from '../providers/providers.module.js';
import { TextIndexModule } from '../text-index/text-index.module.js';
import { VectorsModule } from '../vectors/vectors.module.js';
import { ExistingFiles } from './existing-files.adapter.js';
import { RankChunks } from './rank-chunks.usecase.js';
import { RerankChunks } from './rerank-chunks.usecase.js';
import { RankByVector } from './rank-by-vector.usecase.js';
import { RankExistingFiles } from './rank-existing-files.usecase.js';
import { SearchFiles } from './search-files.usecase.js';
import { SearchController } from './search.controller.js';

/** Answers searches: ranks the matching files, and returns a snippet of each. */
@Module({
  imports: [TextIndexModule, VectorsModule, ProvidersModule],
  controllers: [SearchController],
  providers: [SearchFiles, RankChunks, RerankChunks, RankExistingFiles, RankByVector, ExistingFiles],
  exports: [RankExistingFiles, ExistingFiles],
})
export class SearchingModule {}
