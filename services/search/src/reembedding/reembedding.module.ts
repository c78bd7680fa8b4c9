import { Module } from '@nestjs/common';
import { ProvidersModule } from '../providers/providers.module.js';
import { RebuildModule } from '../rebuild/rebuild.module.js';
import { StagedVectorsStore } from '../vectors/staged-vectors.store.js';
import { ReembeddingController } from './reembedding.controller.js';
import { StageVectors } from './stage-vectors.usecase.js';
import { SwitchVectors } from './switch-vectors.usecase.js';

/** Embeds the files of the index with another model. */
@Module({
  imports: [ProvidersModule, RebuildModule],
  controllers: [ReembeddingController],
  providers: [StagedVectorsStore, StageVectors, SwitchVectors],
})
export class ReembeddingModule {}
