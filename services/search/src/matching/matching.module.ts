import { Module } from '@nestjs/common';
import { TextIndexModule } from '../text-index/text-index.module.js';
import { MatchingController } from './matching.controller.js';

/** Finds the files that contain all words of a text, for the filter of the file list. */
@Module({
  imports: [TextIndexModule],
  controllers: [MatchingController],
})
export class MatchingModule {}
