import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Module } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { PassageEmbedder } from '../providers/passage-embedder.service.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { IndexedFiles } from '../rebuild/indexed-files.adapter.js';
import { RebuildModule } from '../rebuild/rebuild.module.js';
import { StagedVectorsStore } from '../vectors/staged-vectors.store.js';
import { ReembeddingController } from './reembedding.controller.js';
import { StageVectors } from './stage-vectors.usecase.js';
import { SwitchVectors } from './switch-vectors.usecase.js';

const stageVectors = {
  provide: StageVectors,
  inject: [SEARCH_CONFIG, IndexedFiles, PassageEmbedder, StagedVectorsStore, LOGGER],
  useFactory: (
    config: SearchConfig,
    files: IndexedFiles,
    embedder: PassageEmbedder,
    staged: StagedVectorsStore,
    logger: Logger,
  ) => {
    const limits = {
      inputsMax: config.KILN_EMBEDDING_BATCH_INPUTS,
      charactersMax: config.KILN_EMBEDDING_BATCH_CHARACTERS,
    };
    return new StageVectors({ files, embedder, staged, limits, logger });
  },
};

/** Embeds the files of the index with another model. */
@Module({
  imports: [ProvidersModule, RebuildModule],
  controllers: [ReembeddingController],
  providers: [StagedVectorsStore, stageVectors, SwitchVectors],
})
export class ReembeddingModule {}
