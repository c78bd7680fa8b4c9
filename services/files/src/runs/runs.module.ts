import { Module } from '@nestjs/common';
import { SourcesModule } from '../sources/sources.module.js';
import { BeginRuns } from './begin-runs.usecase.js';
import { FinishRuns } from './finish-runs.usecase.js';
import { RunStore } from './run.store.js';
import { RunsController } from './runs.controller.js';

/** The changes of a run to its file: it begins, opens the bytes, commits variants, and finishes. */
@Module({
  imports: [SourcesModule],
  controllers: [RunsController],
  providers: [RunStore, BeginRuns, FinishRuns],
})
export class RunsModule {}
