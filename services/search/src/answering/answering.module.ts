import { ModelServers } from '@kiln/model-clients/admission/model-servers';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { chatServers } from '@kiln/platform';
import { Module } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { EngineFailures } from '../providers/engine-failures.service.js';
import { OrganizationKeys } from '../providers/organization-keys.adapter.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { SearchingModule } from '../searching/searching.module.js';
import { TextIndexModule } from '../text-index/text-index.module.js';
import { VectorsModule } from '../vectors/vectors.module.js';
import { AnswerController } from './answer.controller.js';
import { AnswerQuestion } from './answer-question.usecase.js';
import { Answerers } from './answerers.service.js';
import { ChatModels } from './chat-models.service.js';
import { ExtractiveAnswerer } from './extractive-answerer.adapter.js';
import { FindModels } from './find-models.usecase.js';
import { ModelsController } from './models.controller.js';
import { OrganizationInstructions } from './organization-instructions.adapter.js';
import { RankForQuestion } from './question-ranking.service.js';

/** A question that waits for a free slot longer than this is refused. */
const PATIENCE_MS = 10_000;

const chatModels = {
  provide: ChatModels,
  inject: [SEARCH_CONFIG, ProviderHttp, OrganizationKeys, EngineFailures],
  useFactory: (config: SearchConfig, http: ProviderHttp, keys: OrganizationKeys, failures: EngineFailures) =>
    new ChatModels({
      servers: new ModelServers({ provider: 'chat', ...chatServers(config), patienceMs: PATIENCE_MS }),
      keys,
      http,
      models: config.KILN_CHAT_MODEL ?? [],
      deadlineMs: config.KILN_CHAT_DEADLINE_MS,
      answerTokensMax: config.KILN_CHAT_ANSWER_TOKENS,
      onFailure: (server, error) => failures.record(server, error),
    }),
};

/** Answers questions from the content of files. */
@Module({
  imports: [SearchingModule, TextIndexModule, VectorsModule, ProvidersModule],
  controllers: [AnswerController, ModelsController],
  providers: [
    AnswerQuestion,
    FindModels,
    Answerers,
    ExtractiveAnswerer,
    OrganizationInstructions,
    RankForQuestion,
    chatModels,
  ],
})
export class AnsweringModule {}
