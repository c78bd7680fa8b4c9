import type { Sandbox } from '@kiln/extraction';
import { ProviderHttp } from '@kiln/extraction/remote/provider-http';
import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import { Database, HealthServer, Metrics, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { openObjectStore, type ObjectStore } from '@kiln/storage';
import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { rmSync } from 'node:fs';
import type { Dispatcher } from 'undici';
import { WORKER_CONFIG, type WorkerConfig } from '../config.js';
import { openSandbox } from '../extractor/open-sandbox.service.js';
import { OrganizationModule } from '../organization/organization.module.js';
import { OrganizationPolicies } from '../organization/policies/organization-policies.service.js';
import { EngineAdmissions } from '../engines/engine-admissions.service.js';
import { EngineStore } from '../engines/engine.store.js';
import { ExtractionStore } from '../extractions/extraction.store.js';
import { LeasesModule } from '../leases/leases.module.js';
import { BucketDownload } from './bucket/bucket-download.adapter.js';
import { announceIsolation } from './engines/announce-isolation.service.js';
import { ProgressReports } from './progress-reports.service.js';
import { RunJob } from './run-job.usecase.js';
import { RunQuota } from './run-quota.service.js';
import { RunServices } from './run-services.adapter.js';
import { runSteps, type StepParts } from './run-steps.usecase.js';
import { TextMemory } from './text-memory.service.js';
import { openScratchDirectory } from './scratch-directory.adapter.js';

const BUCKET_CONNECT_TIMEOUT_MS = 10_000;
const BUCKET_KEEP_ALIVE_MS = 4_000;

const OBJECTS = Symbol('object store');
const SANDBOX = Symbol('sandbox');
const DISPATCHER = Symbol('dispatcher for addresses that callers choose');
const SCRATCH_DIRECTORY = Symbol('scratch directory');
const STEPS = Symbol('steps');

type Steps = ReturnType<typeof runSteps>;

const outside = [
  { provide: OBJECTS, inject: [WORKER_CONFIG], useFactory: (config: WorkerConfig) => openObjectStore(config) },
  {
    provide: SANDBOX,
    inject: [WORKER_CONFIG, SCRATCH_DIRECTORY],
    useFactory: (config: WorkerConfig, directory: string): Sandbox => openSandbox(config, directory),
  },
  {
    provide: ProviderHttp,
    inject: [WORKER_CONFIG],
    useFactory: (config: WorkerConfig) => new ProviderHttp({ proxyUrl: config.KILN_OUTBOUND_PROXY }),
  },
  {
    provide: DISPATCHER,
    inject: [WORKER_CONFIG, OutboundPolicy],
    useFactory: (config: WorkerConfig, policy: OutboundPolicy): Dispatcher =>
      createGuardedAgent({
        policy,
        connectTimeoutMs: BUCKET_CONNECT_TIMEOUT_MS,
        keepAliveMs: BUCKET_KEEP_ALIVE_MS,
        proxyUrl: config.KILN_OUTBOUND_PROXY,
      }),
  },
  {
    provide: BucketDownload,
    inject: [DISPATCHER],
    useFactory: (dispatcher: Dispatcher) => new BucketDownload(dispatcher),
  },
  {
    provide: SCRATCH_DIRECTORY,
    inject: [WORKER_CONFIG],
    useFactory: (config: WorkerConfig) => openScratchDirectory(config.KILN_SCRATCH_DIR),
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
    BucketDownload,
    RunServices,
    Metrics,
    LOGGER,
  ],
  useFactory: (
    config: WorkerConfig,
    ...[objects, sandbox, http, dispatcher, extractions, admissions, buckets, services, metrics, logger]: [
      StepParts['objects'],
      StepParts['sandbox'],
      StepParts['http'],
      Dispatcher,
      StepParts['extractions'],
      StepParts['admissions'],
      StepParts['buckets'],
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
      buckets,
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
const runJob = {
  provide: RunJob,
  inject: [
    WORKER_CONFIG,
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
    return new RunJob({ objects, ...made, scratchDirectory, textMemory, services, reports, quota, policies, logger });
  },
};

/** What a run of a job consists of: its steps, and what they reach outside: storage, sandbox, engines, other services. */
@Module({
  imports: [OrganizationModule, LeasesModule],
  providers: [...outside, ExtractionStore, admissions, steps, runJob, RunServices, ProgressReports, RunQuota],
  exports: [RunJob],
})
export class RunsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    readonly health: HealthServer,
    private readonly reports: ProgressReports,
    private readonly http: ProviderHttp,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
    @Inject(SANDBOX) private readonly sandbox: Sandbox,
    @Inject(DISPATCHER) private readonly dispatcher: Dispatcher,
    @Inject(SCRATCH_DIRECTORY) private readonly scratchDirectory: string,
    @Inject(LOGGER) readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    // Every run reads and writes there.
    this.health.addCheck('storage', 'needed', () => this.objects.ping());
    await announceIsolation(this.sandbox, this);
  }

  async onApplicationShutdown(): Promise<void> {
    this.reports.stop();
    await this.sandbox.close();
    await this.http.close();
    await this.dispatcher.destroy();
    rmSync(this.scratchDirectory, { recursive: true, force: true });
  }
}
