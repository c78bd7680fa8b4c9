import { Metrics, WakeUp, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Module } from '@nestjs/common';
import { CONNECTIONS_CONFIG, type ConnectionsConfig } from '../config.js';
import { BucketAccessModule } from '../connections/bucket-access.module.js';
import { BucketAccess } from '../connections/bucket-access.service.js';
import { ConnectionBuckets } from '../connections/connection-buckets.service.js';
import { ConnectionStore } from '../connections/connection.store.js';
import { SYNC_CANCELLED, SYNC_DUE, SYNC_ENDED } from '../wake-ups.events.js';
import { TenantSlots } from '../external-buckets/domain/tenant-slots.js';
import { BeginListing } from './begin-listing.step.js';
import { BucketListing } from './bucket-listing.service.js';
import { FIXED_LIMITS, type SyncLimits } from './domain/sync-limits.js';
import { EndSync } from './end-sync.usecase.js';
import { InventoryListing } from './inventory-listing.service.js';
import { ListingRanges } from './listing-ranges.service.js';
import { MarkedNodeStore } from './marked-node.store.js';
import { NodeCountStore } from './node-count.store.js';
import { NodeSelectionStore } from './node-selection.store.js';
import { PresentObjects } from './present-objects.service.js';
import { NodeDigestStore } from './node-digest.store.js';
import { RangeListing } from './range-listing.service.js';
import { RemovedNodeStore } from './removed-node.store.js';
import { RunSync } from './run-sync.usecase.js';
import { ScheduledSyncsWorker } from './scheduled-syncs.worker.js';
import { SyncPageStore } from './sync-page.store.js';
import { SyncQueueMetrics } from './sync-queue.metrics.js';
import { SyncScheduleStore } from './sync-schedule.store.js';
import { SYNC_ACCESS, SYNC_LIMITS, SYNC_REQUESTS } from './sync-tokens.config.js';
import { LEASE_SECONDS, SyncStore } from './sync.store.js';
import { SyncWorker } from './sync.worker.js';
import { UnlistedNodeStore } from './unlisted-node.store.js';
import { UnlistedNodes } from './unlisted-nodes.service.js';

const HOUR_MS = 3_600_000;

const access = {
  provide: SYNC_ACCESS,
  inject: [ConnectionStore, ConnectionBuckets, CONNECTIONS_CONFIG],
  useFactory: (connections: ConnectionStore, buckets: ConnectionBuckets, config: ConnectionsConfig) =>
    new BucketAccess(connections, buckets, { requestTimeoutMs: config.KILN_SYNC_PAGE_TIMEOUT_MS }),
};
const limits = {
  provide: SYNC_LIMITS,
  inject: [CONNECTIONS_CONFIG],
  useFactory: ({ KILN_CONNECTIONS_NODES_MAX, KILN_SYNC_MAX_HOURS }: ConnectionsConfig): SyncLimits => ({
    ...FIXED_LIMITS,
    nodes: KILN_CONNECTIONS_NODES_MAX,
    syncMs: KILN_SYNC_MAX_HOURS * HOUR_MS,
  }),
};
const requests = {
  provide: SYNC_REQUESTS,
  inject: [CONNECTIONS_CONFIG],
  useFactory: ({ KILN_SYNC_LIST_REQUESTS, KILN_SYNC_CONCURRENCY }: ConnectionsConfig) => {
    const more = Math.max(0, KILN_SYNC_LIST_REQUESTS - KILN_SYNC_CONCURRENCY);
    return new TenantSlots(Math.ceil(more / 2), more);
  },
};
const worker = {
  provide: SyncWorker,
  inject: [SyncStore, RunSync, CONNECTIONS_CONFIG, WakeUp, Metrics, LOGGER],
  useFactory: newWorker,
};

function newWorker(
  syncs: SyncStore,
  runSync: RunSync,
  config: ConnectionsConfig,
  wakeUp: WakeUp,
  metrics: Metrics,
  logger: Logger,
): SyncWorker {
  const claims = metrics.counter('kiln_syncs_ended_total', 'Claims of syncs by outcome', ['outcome']);
  const created = new SyncWorker({
    syncs,
    runSync,
    concurrency: config.KILN_SYNC_CONCURRENCY,
    leaseSeconds: LEASE_SECONDS,
    logger,
    onEnded: (outcome) => {
      claims.add(1, { outcome });
      if (outcome === 'completed' || outcome === 'failed') wakeUp.send(SYNC_ENDED);
    },
  });
  metrics.gauge('kiln_syncs_running', 'Syncs that this worker runs', () => created.runningCount);
  return created;
}

/** Part of the worker role: claims and runs syncs. */
@Module({
  imports: [BucketAccessModule],
  providers: [
    access,
    limits,
    requests,
    SyncStore,
    SyncPageStore,
    NodeCountStore,
    UnlistedNodeStore,
    NodeDigestStore,
    UnlistedNodes,
    RemovedNodeStore,
    NodeSelectionStore,
    MarkedNodeStore,
    PresentObjects,
    ListingRanges,
    RangeListing,
    InventoryListing,
    BeginListing,
    BucketListing,
    EndSync,
    RunSync,
    worker,
    SyncScheduleStore,
    ScheduledSyncsWorker,
    SyncQueueMetrics,
  ],
})
export class SyncWorkerModule {
  constructor(syncs: SyncWorker, wakeUp: WakeUp) {
    wakeUp.listen(SYNC_DUE, () => syncs.wakeUp());
    wakeUp.listen(SYNC_CANCELLED, () => syncs.renewLeases());
  }
}
