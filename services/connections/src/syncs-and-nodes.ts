// The part of the composition root that syncs and nodes need: what answers, and the worker that walks through buckets.
import { PollingLoop } from '@kiln/platform';
import type { Platform } from '@kiln/platform/nest';
import type { ConnectionBuckets } from './adapters/connection-buckets.js';
import type { ConnectionsConfig } from './config.js';
import type { SyncLimits } from './domain/sync-limits.js';
import type { ConnectionStore } from './store/connection.store.js';
import { NodeCompareStore } from './store/node-compare.store.js';
import { NodeCountStore } from './store/node-count.store.js';
import { NodeUploadStore } from './store/node-upload.store.js';
import { NodeStore } from './store/node.store.js';
import { SyncPageStore } from './store/sync-page.store.js';
import { SyncStore } from './store/sync.store.js';
import { BucketObjectsController } from './transport/bucket-objects.controller.js';
import { NodesController } from './transport/nodes.controller.js';
import { SyncsController } from './transport/syncs.controller.js';
import { BucketQuestions } from './usecases/ask-bucket.js';
import { BucketAccess } from './usecases/bucket-access.js';
import { DeleteNode } from './usecases/delete-node.usecase.js';
import { DownloadNode } from './usecases/download-node.usecase.js';
import { EndSync } from './usecases/end-sync.js';
import { ManageSyncs } from './usecases/manage-syncs.usecase.js';
import { OpenObjects } from './usecases/open-objects.usecase.js';
import { PreviewSync } from './usecases/preview-sync.usecase.js';
import { ReadNodes } from './usecases/read-nodes.usecase.js';
import { RunSync } from './usecases/run-sync.usecase.js';
import { SYNC_CANCELLED_WAKE_UP, SYNC_DUE_WAKE_UP, SYNC_ENDED_WAKE_UP, SyncWaiters } from './usecases/sync-waiters.js';
import { UploadNode } from './usecases/upload-node.usecase.js';
import { WaitingAccess } from './usecases/waiting-access.js';
import { SyncWorker } from './workers/sync.worker.js';

const STOP_MS = 10_000;
/** Of the files service at once: for the jobs of a tenant, and for files that are to be processed. */
const FILE_QUESTIONS_PER_TENANT = 64;
/** Signatures need an answer of the provider only where Kiln assumes a role, and then one in some minutes. */
const SIGNATURES_PER_TENANT = 256;
/** Renewed by each page, and four times in between. A worker that dies is missed after that. */
const LEASE_SECONDS = 30;
/** Of one claim: then another sync has its turn. */
const PAGES_PER_CLAIM = 50;
const CLAIM_MS = 10_000;
const EMPTY_PAGES_MAX = 1_000;
const HOUR_MS = 3_600_000;
const UPLOADS_POLL_MS = 600_000;
const UPLOADS_PER_ROUND = 1_000;

export const syncsAndNodesControllers = [SyncsController, NodesController, BucketObjectsController];

export interface SharedParts {
  connections: ConnectionStore;
  buckets: ConnectionBuckets;
  questions: BucketQuestions;
}

/** What answers; starts to hear of syncs that have ended. */
export function syncsAndNodesUseCases(platform: Platform, { connections, buckets, questions }: SharedParts): object[] {
  const { database, wakeUp, shutdown } = platform;
  const nodes = new NodeStore(database);
  const syncs = new SyncStore(database);
  const waiters = new SyncWaiters(syncs);
  const { requestTimeoutMs } = questions;
  const access = new BucketAccess(connections, buckets, requestTimeoutMs);
  const waiting = new WaitingAccess(access, questions);
  const forFiles = new WaitingAccess(access, new BucketQuestions(requestTimeoutMs, FILE_QUESTIONS_PER_TENANT));
  const signing = new WaitingAccess(access, new BucketQuestions(requestTimeoutMs, SIGNATURES_PER_TENANT));
  const stopListening = wakeUp.listen(SYNC_ENDED_WAKE_UP, () => waiters.wakeUp());
  shutdown.addPhase('sync waiters', STOP_MS, async () => stopListening());
  return [
    new ManageSyncs(connections, syncs, waiters, wakeUp),
    new PreviewSync(waiting, new NodeCompareStore(database)),
    new ReadNodes(connections, nodes),
    new DeleteNode(nodes),
    new DownloadNode(nodes, signing),
    new UploadNode(nodes, new NodeUploadStore(database), signing, waiting),
    new OpenObjects(connections, nodes, forFiles, signing),
  ];
}

/** Puts the worker together, its end included; answers what starts it. */
export function prepareSyncWorker(config: ConnectionsConfig, platform: Platform, shared: SharedParts): () => void {
  const { database, wakeUp, shutdown, metrics, logger } = platform;
  const { connections, buckets } = shared;
  const syncs = new SyncStore(database);
  const pages = new SyncPageStore(database, LEASE_SECONDS);
  const access = new BucketAccess(connections, buckets, config.KILN_SYNC_PAGE_TIMEOUT_MS);
  const ended = metrics.counter('kiln_syncs_ended_total', 'Claims of syncs by what came of them', ['outcome']);
  const worker = new SyncWorker({
    syncs,
    runSync: new RunSync({
      syncs,
      pages,
      access,
      counts: new NodeCountStore(database),
      limits: limitsOf(config),
      end: new EndSync(database, syncs, connections, logger),
    }),
    concurrency: config.KILN_SYNC_CONCURRENCY,
    leaseSeconds: LEASE_SECONDS,
    logger,
    onEnded: (outcome) => {
      ended.inc({ outcome });
      if (outcome === 'completed' || outcome === 'failed') wakeUp.send(SYNC_ENDED_WAKE_UP);
    },
  });
  const uploads = new NodeUploadStore(database);
  const forgetting = new PollingLoop({
    name: 'forgetting uploads into buckets',
    pollMs: UPLOADS_POLL_MS,
    logger,
    round: async () => (await uploads.forget(UPLOADS_PER_ROUND)) === UPLOADS_PER_ROUND,
  });
  metrics.gauge('kiln_syncs_running', 'Syncs that this worker is at', () => worker.runningCount);
  let listening: (() => void)[] = [];
  shutdown.addPhase('syncs', STOP_MS, async () => {
    for (const stopListening of listening) stopListening();
    await Promise.all([worker.stop(), forgetting.stop()]);
  });
  return () => {
    worker.start();
    forgetting.start();
    listening = [
      wakeUp.listen(SYNC_DUE_WAKE_UP, () => worker.wakeUp()),
      wakeUp.listen(SYNC_CANCELLED_WAKE_UP, () => worker.renewLeases()),
    ];
  };
}

const limitsOf = ({ KILN_CONNECTIONS_NODES_MAX, KILN_SYNC_MAX_HOURS }: ConnectionsConfig): SyncLimits => ({
  pagesPerClaim: PAGES_PER_CLAIM,
  claimMs: CLAIM_MS,
  emptyPages: EMPTY_PAGES_MAX,
  nodes: KILN_CONNECTIONS_NODES_MAX,
  syncMs: KILN_SYNC_MAX_HOURS * HOUR_MS,
});
