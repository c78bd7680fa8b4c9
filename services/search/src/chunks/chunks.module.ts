import { Module } from '@nestjs/common';
import { SearchingModule } from '../searching/searching.module.js';
import { TextIndexModule } from '../text-index/text-index.module.js';
import { ChunksController } from './chunks.controller.js';
import { ListChunks } from './list-chunks.usecase.js';

/** Lists the chunks of a file. */
@Module({
  imports: [TextIndexModule, SearchingModule],
  controllers: [ChunksController],
  providers: [ListChunks],
})
export class ChunksModule {}
