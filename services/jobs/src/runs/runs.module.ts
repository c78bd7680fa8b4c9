import type { Sandbox } from '@kiln/extraction';
import { EnginesController } from './engines/engines.controller.js';
import { FindEngines } from './engines/find-engines.usecase.js';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { Database, HealthServer, Metrics, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import { WORKER_CONFIG, type WorkerConfig } from '../config.js';
import { openSandbox } from '../extractor/open-sandbox.service.js';
import { OrganizationModule } from '../organization/organization.module.js';
import { OrganizationPolicies } from '../organization/policies/organization-policies.service.js';
import { EngineAdmissions } from '../engines/engine-admissions.service.js';
import { EngineStore } from '../engines/engine.store.js';
import { ExtractionStore } from '../extractions/extraction.store.js';
import { JobStore } from '../jobs/job.store.js';
import { LeasesModule } from '../leases/leases.module.js';
import { DISPATCHER, DocumentsModule, OBJECTS, SCRATCH_DIRECTORY } from './documents.module.js';
import { announceIsolation } from './engines/announce-isolation.service.js';
import { ProgressReports } from './progress-reports.service.js';
import { ProgressSignals } from './progress-signals.service.js';
import { RunJob } from './run-job.usecase.js';
import { RunQuota } from './run-quota.service.js';
import { RunServices } from './run-services.adapter.js';
import { runSteps, type StepParts } from './run-steps.usecase.js';
import { TextMemory } from './text-memory.service.js';
import { SourceFile } from './steps/source-file.service.js';

export const SANDBOX = Symbol('sandbox');
const STEPS = Symbol('steps');

type Steps = ReturnType<typeof runSteps>;

const engines = [
  {
    provide: SANDBOX,
    inject: [WORKER_CONFIG, SCRATCH_DIRECTORY, LOGGER],
    useFactory: (config: WorkerConfig, directory: string, logger: Logger): Sandbox =>
      openSandbox(config, directory, logger),
  },
  {
    provide: ProviderHttp,
    inject: [WORKER_CONFIG],
    useFactory: (config: WorkerConfig) => new ProviderHttp({ proxyUrl: config.KILN_OUTBOUND_PROXY }),
  },
];
const steps = {
  provide: STEPS,
  inject: [
    WORKER_CONFIG,
    OBJECTS,
    SANDBOX,
    ProviderHttp,
    DISPATCHER,
    ExtractionStore,
    EngineAdmissions,
    SourceFile,
    RunServices,
    Metrics,
    LOGGER,
  ],
  useFactory: (
    config: WorkerConfig,
    ...[objects, sandbox, http, dispatcher, extractions, admissions, source, services, metrics, logger]: [
      StepParts['objects'],
      StepParts['sandbox'],
      StepParts['http'],
      Dispatcher,
      StepParts['extractions'],
      StepParts['admissions'],
      StepParts['source'],
      StepParts['services'],
      StepParts['metrics'],
      StepParts['logger'],
    ]
  ) => {
    const outsideHttp = new ProviderHttp({ dispatcher });
    return runSteps(config, {
      objects,
      sandbox,
      http,
      outsideHttp,
      extractions,
      admissions,
      source,
      services,
      metrics,
      logger,
    });
  },
};
const admissions = {
  provide: EngineAdmissions,
  inject: [Database, LOGGER],
  useFactory: (database: Database, logger: Logger) => new EngineAdmissions(new EngineStore(database), logger),
};
const findEngines = {
  provide: FindEngines,
  inject: [WORKER_CONFIG, OrganizationPolicies],
  useFactory: (config: WorkerConfig, policies: OrganizationPolicies) => new FindEngines(config, policies),
};
const runJob = {
  provide: RunJob,
  inject: [
    WORKER_CONFIG,
    JobStore,
    OBJECTS,
    STEPS,
    SCRATCH_DIRECTORY,
    RunServices,
    ProgressReports,
    RunQuota,
    OrganizationPolicies,
    LOGGER,
  ],
  useFactory: (
    config: WorkerConfig,
    jobs: JobStore,
    objects: ObjectStore,
    made: Steps,
    scratchDirectory: string,
    services: RunServices,
    reports: ProgressReports,
    quota: RunQuota,
    policies: OrganizationPolicies,
    logger: Logger,
  ) => {
    const textMemory = new TextMemory(config.KILN_WORKER_TEXT_BYTES);
    return new RunJob({
      jobs,
      objects,
      ...made,
      scratchDirectory,
      textMemory,
      services,
      reports,
      quota,
      policies,
      logger,
    });
  },
};

/** What a run of a job consists of: its steps, and what they reach outside: storage, sandbox, engines, other services. */
@Module({
  imports: [DocumentsModule, OrganizationModule, LeasesModule],
  controllers: [EnginesController],
  providers: [
    findEngines,
    JobStore,
    ...engines,
    ExtractionStore,
    admissions,
    steps,
    runJob,
    RunServices,
    ProgressReports,
    ProgressSignals,
    RunQuota,
  ],
  exports: [RunJob, SANDBOX, ProviderHttp, EngineAdmissions],
})
export class RunsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    readonly health: HealthServer,
    private readonly reports: ProgressReports,
    private readonly http: ProviderHttp,
    @Inject(SANDBOX) private readonly sandbox: Sandbox,
    @Inject(LOGGER) readonly logger: Logger,
    readonly metrics: Metrics,
  ) {}

  async onModuleInit(): Promise<void> {
    await announceIsolation(this.sandbox, this);
  }

  async onApplicationShutdown(): Promise<void> {
    this.reports.stop();
    await this.sandbox.close();
    await this.http.close();
  }
}
