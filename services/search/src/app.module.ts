// The search service. It has one role: every process serves calls, consumes events, merges and removes.
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AnsweringModule } from './answering/answering.module.js';
import { ChunksModule } from './chunks/chunks.module.js';
import { CancellationModule } from './cancellation/cancellation.module.js';
import { SEARCH_CONFIG, type SearchConfig } from './config.js';
import { DeletionModule } from './deletion/deletion.module.js';
import { IndexingModule } from './indexing/indexing.module.js';
import { MatchingModule } from './matching/matching.module.js';
import { RebuildModule } from './rebuild/rebuild.module.js';
import { ReembeddingModule } from './reembedding/reembedding.module.js';
import { SearchingModule } from './searching/searching.module.js';

/** The configuration, which every feature may inject. */
@Global()
@Module({})
class SettingsModule {
  static with(config: SearchConfig): DynamicModule {
    const providers = [{ provide: SEARCH_CONFIG, useValue: config }];
    return { module: SettingsModule, providers, exports: providers };
  }
}

@Module({})
export class AppModule {
  static with(config: SearchConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.with(config),
        IndexingModule,
        RebuildModule,
        ReembeddingModule,
        SearchingModule,
        MatchingModule,
        AnsweringModule,
        ChunksModule,
        DeletionModule,
        CancellationModule,
      ],
    };
  }
}
