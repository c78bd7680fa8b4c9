// Composition root of the jobs service. The API role answers and consumes; the worker role runs jobs; `all` does both.
import { PollingLoop, ResealWorker, Sealer } from '@kiln/platform';
import type { Platform } from '@kiln/platform/nest';
import type { DynamicModule } from '@nestjs/common';
import { hostname } from 'node:os';
import { organizationPolicies } from './adapters/organization-policies.js';
import { ProviderKeys } from './adapters/provider-keys.js';
import type { JobsConfig } from './config.js';
import { isLimited, UNLIMITED, type RunningLimits } from './domain/running-limits.js';
import { CappedClaimStore } from './store/capped-claim.store.js';
import { ClaimStore } from './store/claim.store.js';
import { CompletionStore } from './store/completion.store.js';
import { JobBatchStore } from './store/job-batch.store.js';
import { DeletedFileStore } from './store/deleted-file.store.js';
import { JobChangeStore } from './store/job-change.store.js';
import { JobListStore } from './store/job-list.store.js';
import { JobTimelineStore } from './store/job-timeline.store.js';
import { JobStore } from './store/job.store.js';
import { LeaseStore } from './store/lease.store.js';
import { PageReservationStore } from './store/page-reservation.store.js';
import { ProviderKeyStore } from './store/provider-key.store.js';
import { QueueMeasureStore } from './store/queue-measure.store.js';
import { RoutingRuleStore } from './store/routing-rule.store.js';
import { SettingsStore } from './store/settings.store.js';
import { TenantQueueStore } from './store/tenant-queue.store.js';
import { UnmetRequestStore } from './store/unmet-request.store.js';
import { UsageStore } from './store/usage.store.js';
import { FileEventsConsumer } from './transport/file-events.consumer.js';
import { JobsController } from './transport/jobs.controller.js';
import { OrganizationController } from './transport/organization.controller.js';
import { CancelJob } from './usecases/cancel-job.usecase.js';
import { CheckJobs } from './usecases/check-jobs.usecase.js';
import { CountPages } from './usecases/count-pages.usecase.js';
import { FailUpload } from './usecases/fail-upload.usecase.js';
import { ChangeNotice } from './usecases/change-notice.js';
import { ForgetFile } from './usecases/forget-file.usecase.js';
import { GetJob } from './usecases/get-job.usecase.js';
import { ListJobs } from './usecases/list-jobs.usecase.js';
import { ManageOrganization } from './usecases/manage-organization.usecase.js';
import { ManageProviderKeys } from './usecases/manage-provider-keys.usecase.js';
import { RequestJob } from './usecases/request-job.usecase.js';
import { RequestJobs } from './usecases/request-jobs.usecase.js';
import { RetryJob } from './usecases/retry-job.usecase.js';
import { COUNTED_JOBS_MAX, MEASURE_INTERVAL_SECONDS, QueueMetrics, SETTLE_SECONDS } from './workers/queue-metrics.js';
import { ReclaimWorker } from './workers/reclaim.worker.js';
import { startWorkerRole } from './workers/worker-role.js';

const RECLAIM_STOP_MS = 5_000;
const SWEEP_INTERVAL_MS = 60_000;
const SWEEP_ROWS = 1_000;
/** While there is usage to sum up, and while there is none. */
const SUM_INTERVAL_MS = 5_000;
const SUM_POLL_MS = 30_000;
const SUM_ROWS = 10_000;
const QUEUE_METRICS_STOP_MS = 5_000;

function runningLimits({ worker }: JobsConfig): RunningLimits {
  if (!worker) return UNLIMITED;
  return { ofTenant: worker.KILN_TENANT_RUNNING_MAX ?? null, ofProvider: worker.KILN_PROVIDER_RUNNING_MAX };
}

export class JobsModule {
  static async with(config: JobsConfig, platform: Platform): Promise<DynamicModule> {
    const { database, rpc, wakeUp, shutdown, logger } = platform;
    const leaseSeconds = config.KILN_LEASE_SECONDS;
    const tenants = new TenantQueueStore(database);
    const leases = new LeaseStore(database, leaseSeconds);
    const limits = runningLimits(config);
    const capped = isLimited(limits) ? new CappedClaimStore(database, limits) : null;
    const claims = new ClaimStore(database, tenants, {
      workerId: `${hostname()}:${process.pid}`,
      leaseSeconds,
      batchWaitSeconds: config.worker?.KILN_BATCH_WAIT_SECONDS ?? 0,
      capped,
    });
    const deletedFiles = new DeletedFileStore(database);
    const pollMs = (leaseSeconds * 1_000) / 2;
    const reclaimWorker = new ReclaimWorker({ database, leases, tenants, deletedFiles, wakeUp, logger, pollMs });
    reclaimWorker.start();
    shutdown.addPhase('reclaim', RECLAIM_STOP_MS, () => reclaimWorker.stop());
    const providerKeys = new ProviderKeyStore(database);
    const sealedKeys = new ProviderKeys(providerKeys, new Sealer(config.KILN_ENCRYPTION_KEY));
    const routingRules = new RoutingRuleStore(database);
    const policies = organizationPolicies({ routingRules, providerKeys: sealedKeys });
    const completions = new CompletionStore(database);
    if (config.worker) await startWorkerRole(config.worker, platform, { claims, completions, leases, policies });
    if (config.KILN_ROLE === 'worker') return { module: JobsModule };

    startQueueMetrics(platform);
    const jobs = new JobStore(database);
    const [reservations, usage] = [new PageReservationStore(database), new UsageStore(database)];
    startCounting(platform, reservations, usage);
    const resealWorker = new ResealWorker(sealedKeys, logger);
    resealWorker.start();
    shutdown.addPhase('reseal', RECLAIM_STOP_MS, () => resealWorker.stop());
    const jobBatches = new JobBatchStore();
    const changes = new JobChangeStore();
    const notice = new ChangeNotice(rpc, logger);
    const requestJobs = new RequestJobs(database, jobBatches, wakeUp);
    const usecases = [
      new RequestJob(new UnmetRequestStore(database), jobBatches, wakeUp),
      requestJobs,
      new CheckJobs(requestJobs, jobs),
      new GetJob(new JobTimelineStore(database)),
      new ListJobs(new JobListStore(database)),
      new CancelJob(database, changes, wakeUp, notice),
      new RetryJob({ database, jobs, changes, rules: new RoutingRuleStore(database), rpc, wakeUp, notice }),
      new FailUpload(jobs, deletedFiles),
      new ForgetFile(deletedFiles, wakeUp),
      new ManageProviderKeys(providerKeys, sealedKeys),
      new CountPages(database, usage, reservations),
      new ManageOrganization(new SettingsStore(database), routingRules, config.KILN_EMBEDDING_MODEL[0] ?? ''),
    ];
    return {
      module: JobsModule,
      controllers: [JobsController, OrganizationController, FileEventsConsumer],
      providers: usecases.map((usecase) => ({ provide: usecase.constructor, useValue: usecase })),
    };
  }
}

function startCounting({ shutdown, logger }: Platform, reservations: PageReservationStore, usage: UsageStore): void {
  const sweep = new PollingLoop({
    name: 'page reservations',
    pollMs: SWEEP_INTERVAL_MS,
    logger,
    round: async () => (await reservations.sweep(SWEEP_ROWS)) === SWEEP_ROWS,
  });
  let summed = 0;
  const sums = new PollingLoop({
    name: 'sums of usage',
    pollMs: SUM_POLL_MS,
    logger,
    round: async () => (summed = await usage.sumUp(SUM_ROWS)) === SUM_ROWS,
    nextDueInMs: () => Promise.resolve(summed > 0 ? SUM_INTERVAL_MS : null),
  });
  sweep.start();
  sums.start();
  shutdown.addPhase('sweep', RECLAIM_STOP_MS, async () => void (await Promise.all([sweep.stop(), sums.stop()])));
}

/** Not in the worker role: that may be scaled down to nothing, by these very numbers. */
function startQueueMetrics({ database, metrics, shutdown, logger }: Platform): void {
  const measures = new QueueMeasureStore(database, {
    intervalSeconds: MEASURE_INTERVAL_SECONDS,
    countedMax: COUNTED_JOBS_MAX,
    settleSeconds: SETTLE_SECONDS,
  });
  const queueMetrics = new QueueMetrics(measures, metrics, logger);
  queueMetrics.start();
  shutdown.addPhase('queue metrics', QUEUE_METRICS_STOP_MS, () => queueMetrics.stop());
}
