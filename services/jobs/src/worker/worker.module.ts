import { Database, HealthServer, Metrics, WakeUp, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { constants, hostname, setPriority } from 'node:os';
import { RESERVED_TEXT_RUNS, WORKER_CONFIG, type WorkerConfig } from '../config.js';
import { OrganizationModule } from '../organization/organization.module.js';
import { OrganizationPolicies } from '../organization/policies/organization-policies.service.js';
import { POLICIES_CHANGED } from '../organization/policies/policy-changes.service.js';
import { ClaimPositions } from '../claims/claim-positions.domain.js';
import { ClaimStore } from '../claims/claim.store.js';
import { ClaimsModule } from '../claims/claims.module.js';
import { lanes, type Lane } from '../claims/lane.domain.js';
import { isLimited } from '../claims/running-limits.domain.js';
import { RunningRoomStore } from '../claims/running-room.store.js';
import { TenantQueueStore } from '../claims/tenant-queue.store.js';
import { CompletionStore } from '../leases/completion.store.js';
import { LeaseStore } from '../leases/lease.store.js';
import { LeasesModule } from '../leases/leases.module.js';
import { RunJob } from '../runs/run-job.usecase.js';
import { RunsModule } from '../runs/runs.module.js';
import { EndRun } from './end-run.usecase.js';
import { LaneWorkers } from './lane.worker.js';
import { reportClaims } from './report-claims.metrics.js';
import { RunMetrics } from './run.metrics.js';

const HEARTBEATS_PER_LEASE = 4;

type ClaimsOf = (lane: Lane) => ClaimStore;

const CLAIMS_OF = Symbol('claims of a lane');

const claims = {
  provide: CLAIMS_OF,
  inject: [WORKER_CONFIG, Database, TenantQueueStore],
  useFactory: (config: WorkerConfig, database: Database, tenants: TenantQueueStore): ClaimsOf => {
    const limits = { ofTenant: config.KILN_TENANT_RUNNING_MAX ?? null, ofProvider: config.KILN_PROVIDER_RUNNING_MAX };
    return (lane) =>
      new ClaimStore(database, tenants, {
        workerId: `${hostname()}:${process.pid}`,
        lane,
        leaseSeconds: config.KILN_LEASE_SECONDS,
        batchWaitSeconds: config.KILN_BATCH_WAIT_SECONDS,
        runningRoom: isLimited(limits) ? new RunningRoomStore(database, limits) : null,
        positions: new ClaimPositions(),
      });
  },
};
const endRun = {
  provide: EndRun,
  inject: [WORKER_CONFIG, Database, LeaseStore, LOGGER],
  useFactory: (config: WorkerConfig, database: Database, leases: LeaseStore, logger: Logger) =>
    new EndRun(database, leases, config.KILN_LEASE_SECONDS, logger),
};
const workers = {
  provide: LaneWorkers,
  inject: [WORKER_CONFIG, CLAIMS_OF, CompletionStore, LeaseStore, RunJob, EndRun, WakeUp, Metrics, LOGGER],
  useFactory: (
    config: WorkerConfig,
    claimsOf: ClaimsOf,
    completions: CompletionStore,
    leases: LeaseStore,
    runJob: RunJob,
    end: EndRun,
    wakeUp: WakeUp,
    metrics: Metrics,
    logger: Logger,
  ) => {
    const runs = new RunMetrics(metrics);
    return new LaneWorkers({
      claimsOf,
      completions,
      leases,
      runJob,
      endRun: end,
      wakeUp,
      logger,
      onRunEnded: (run, outcome) => runs.ended(run, outcome),
      room: {
        text: { concurrency: config.KILN_WORKER_TEXT_CONCURRENCY, reserved: RESERVED_TEXT_RUNS },
        sandbox: { concurrency: config.KILN_WORKER_CONCURRENCY, sandboxes: config.KILN_EXTRACTION_PROCESSES },
      },
      heartbeatMs: (config.KILN_LEASE_SECONDS * 1_000) / HEARTBEATS_PER_LEASE,
      runDeadlineMs: config.KILN_RUN_DEADLINE_SECONDS * 1_000,
    });
  },
};

/** The worker role: claims jobs, runs them under leases, and ends their runs. */
@Module({
  imports: [OrganizationModule, ClaimsModule, LeasesModule, RunsModule],
  providers: [claims, endRun, workers],
})
export class WorkerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopListening = () => {};

  constructor(
    private readonly workers: LaneWorkers,
    private readonly policies: OrganizationPolicies,
    private readonly wakeUp: WakeUp,
    private readonly metrics: Metrics,
    private readonly health: HealthServer,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  onApplicationBootstrap(): void {
    // On a machine that the roles share, API calls go before jobs.
    if (this.config.KILN_ROLE === 'worker') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    this.metrics.gauge('kiln_jobs_running', 'Jobs this worker is running', () => this.workers.runningCount);
    this.metrics.sampledGauge('kiln_jobs_claiming', {
      help: '1 if the worker claims jobs of the lane, 0 while faults of the machine or of a part of Kiln keep it from that',
      labelNames: ['lane'],
      read: async () => lanes.map((lane) => ({ labels: { lane }, value: Number(this.workers.isClaiming(lane)) })),
    });
    // A process that also answers calls stays ready for them.
    reportClaims(this.health, this.workers, this.config.KILN_ROLE === 'worker' ? 'needed' : 'reported');
    this.stopListening = this.wakeUp.listen(POLICIES_CHANGED, () => this.policies.clear());
    this.workers.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopListening();
    await this.workers.stop();
  }
}
