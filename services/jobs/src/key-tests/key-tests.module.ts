import type { Sandbox } from '@kiln/extraction';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import type { ObjectStore } from '@kiln/storage';
import { Module } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import { WORKER_CONFIG, type WorkerConfig } from '../config.js';
import { EngineAdmissions } from '../engines/engine-admissions.service.js';
import { OrganizationModule } from '../organization/organization.module.js';
import { SealedProviderKeys } from '../organization/provider-keys/sealed-provider-keys.service.js';
import { DISPATCHER, DocumentsModule, OBJECTS, SCRATCH_DIRECTORY } from '../runs/documents.module.js';
import { ExtractionEngines } from '../runs/engines/extraction-engines.service.js';
import { RunsModule, SANDBOX } from '../runs/runs.module.js';
import { KeyTestsController } from './key-tests.controller.js';
import { TestExtractionKey } from './test-extraction-key.usecase.js';

const test = {
  provide: TestExtractionKey,
  inject: [
    WORKER_CONFIG,
    OBJECTS,
    SANDBOX,
    ProviderHttp,
    DISPATCHER,
    EngineAdmissions,
    SealedProviderKeys,
    SCRATCH_DIRECTORY,
  ],
  useFactory: (
    config: WorkerConfig,
    objects: ObjectStore,
    sandbox: Sandbox,
    http: ProviderHttp,
    dispatcher: Dispatcher,
    admissions: EngineAdmissions,
    keys: SealedProviderKeys,
    scratchDirectory: string,
  ) => {
    // These circuit breakers are separate from those of runs, so an open one does not prevent the test of a corrected key.
    const engines = new ExtractionEngines({ config, sandbox, http, admissions, onFailure: () => undefined });
    const outsideHttp = new ProviderHttp({ dispatcher });
    return new TestExtractionKey({ engines, keys, objects, outsideHttp, scratchDirectory });
  },
};

/** Tests of organizations' own keys, on request. */
@Module({
  imports: [DocumentsModule, OrganizationModule, RunsModule],
  controllers: [KeyTestsController],
  providers: [test],
})
export class KeyTestsModule {}
