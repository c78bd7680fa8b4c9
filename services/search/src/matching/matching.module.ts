import { Module } from '@nestjs/common';
import { MergingModule } from '../merging/merging.module.js';
import { MatchFiles } from './match-files.usecase.js';
import { MatchStore } from './match.store.js';
import { MatchingController } from './matching.controller.js';

/** Finds the files that contain all words of a text, for the filter of the file list. */
@Module({
  imports: [MergingModule],
  controllers: [MatchingController],
  providers: [MatchStore, MatchFiles],
})
export class MatchingModule {}
