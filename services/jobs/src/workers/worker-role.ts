// The worker role: the sandbox, the steps and the loop that drives them.
import { createSandbox } from '@kiln/extraction';
import { ProviderHttp } from '@kiln/extraction/remote';
import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import type { Platform } from '@kiln/platform/nest';
import { openObjectStore } from '@kiln/storage';
import { rmSync } from 'node:fs';
import { BucketDownload } from '../adapters/bucket-download.js';
import { RunQuota } from '../adapters/run-quota.js';
import type { WorkerConfig } from '../config.js';
import type { RunPolicies } from '../domain/run-policy.js';
import type { ClaimStore } from '../store/claim.store.js';
import type { CompletionStore } from '../store/completion.store.js';
import type { LeaseStore } from '../store/lease.store.js';
import { PageReservationStore } from '../store/page-reservation.store.js';
import { RunUsageStore } from '../store/run-usage.store.js';
import { RUNS_ENDED_WAKE_UP } from '../usecases/forget-file.usecase.js';
import { JOBS_WAKE_UP } from '../usecases/request-job.usecase.js';
import { JobWorker } from './job.worker.js';
import { RunJob } from './run-job.js';
import { runSteps } from './run-steps.js';
import { SettleJob } from './settle-job.js';
import { openScratchDirectory } from './scratch-directory.js';

const STOP_DEADLINE_MS = 8_000;
const HEARTBEATS_PER_LEASE = 4;
const BUCKET_CONNECT_TIMEOUT_MS = 10_000;
const BUCKET_KEEP_ALIVE_MS = 4_000;

export interface WorkerStores {
  claims: ClaimStore;
  completions: CompletionStore;
  leases: LeaseStore;
  policies: RunPolicies;
}

export async function startWorkerRole(
  config: WorkerConfig,
  platform: Platform,
  { claims, completions, leases, policies }: WorkerStores,
): Promise<void> {
  const { database, rpc, wakeUp, health, shutdown, metrics, logger } = platform;
  const scratchDirectory = openScratchDirectory(config.KILN_SCRATCH_DIR);
  const objects = await openObjectStore(config);
  const sandbox = createSandbox({
    processes: config.KILN_EXTRACTION_PROCESSES,
    memoryBytesMax: config.KILN_EXTRACTION_MEMORY_BYTES,
    deadlineMs: config.KILN_EXTRACTION_DEADLINE_MS,
  });
  const http = new ProviderHttp({ proxyUrl: config.KILN_OUTBOUND_PROXY });
  const dispatcher = createGuardedAgent({
    policy: new OutboundPolicy({ allow: config.KILN_OUTBOUND_ALLOW }),
    connectTimeoutMs: BUCKET_CONNECT_TIMEOUT_MS,
    keepAliveMs: BUCKET_KEEP_ALIVE_MS,
    proxyUrl: config.KILN_OUTBOUND_PROXY,
  });
  const buckets = new BucketDownload(dispatcher);
  const runJob = new RunJob({
    rpc,
    leases,
    policies,
    usage: new RunUsageStore(database),
    quota: new RunQuota(database, new PageReservationStore(database)),
    ...runSteps(config, { objects, sandbox, http, buckets, rpc, metrics, logger }),
    scratchDirectory,
    logger,
  });
  const worker = new JobWorker({
    claims,
    completions,
    leases,
    runJob,
    settleJob: new SettleJob(database, leases, config.KILN_LEASE_SECONDS, logger),
    logger,
    concurrency: config.KILN_WORKER_CONCURRENCY,
    sandboxes: config.KILN_EXTRACTION_PROCESSES,
    heartbeatMs: (config.KILN_LEASE_SECONDS * 1_000) / HEARTBEATS_PER_LEASE,
    onReleased: () => wakeUp.send(JOBS_WAKE_UP),
  });
  worker.start();
  const listeners = [
    wakeUp.listen(JOBS_WAKE_UP, () => worker.wakeUp()),
    wakeUp.listen(RUNS_ENDED_WAKE_UP, () => worker.checkLeases()),
  ];
  // Every run reads and writes there.
  health.addCheck('storage', 'needed', () => objects.ping());
  metrics.gauge('kiln_jobs_running', 'Jobs this worker is running', () => worker.runningCount);
  shutdown.addPhase('worker', STOP_DEADLINE_MS, async () => {
    for (const stopListening of listeners) stopListening();
    await worker.stop();
    await sandbox.close();
    await http.close();
    await dispatcher.destroy();
    rmSync(scratchDirectory, { recursive: true, force: true });
  });
}
