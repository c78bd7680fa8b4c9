// The part of the composition root that files in connected buckets need.
import { CONNECTION_FILES_PER_CALL_MAX } from '@kiln/contracts';
import type { Platform } from '@kiln/platform/nest';
import type { ObjectStore } from '@kiln/storage';
import { BucketObjects } from './adapters/bucket-objects.js';
import type { BatchStore } from './store/batch.store.js';
import { ConnectionFileStore } from './store/connection-file.store.js';
import { ConnectionRunStore } from './store/connection-run.store.js';
import type { DeletionStore } from './store/deletion.store.js';
import { RemovalStore } from './store/removal.store.js';
import { ProcessConnection } from './usecases/process-connection.usecase.js';
import { ProcessNode } from './usecases/process-node.usecase.js';
import { QueueNodes } from './usecases/queue-nodes.usecase.js';
import { SourceBytes } from './usecases/source-bytes.js';
import { ConnectionRunsWorker } from './workers/connection-runs.worker.js';

/** A page under way, its question to the connections service included. */
const WORKER_STOP_MS = 10_000;

export interface ConnectedParts {
  objects: ObjectStore;
  batches: BatchStore;
  deletions: DeletionStore;
}

export function connectedBuckets(platform: Platform, { objects, batches, deletions }: ConnectedParts) {
  const { database, rpc, shutdown, logger } = platform;
  const links = new ConnectionFileStore(database);
  const buckets = new BucketObjects(rpc);
  const runs = new ConnectionRunStore(database);
  const removals = new RemovalStore(database);
  const queueNodes = new QueueNodes({ database, links, batches, removals, rpc });
  const wakeUp = () => worker.wakeUp();
  const processConnection = new ProcessConnection(runs, queueNodes, rpc, wakeUp, CONNECTION_FILES_PER_CALL_MAX);
  const worker = new ConnectionRunsWorker({ runs, processConnection, events: deletions, logger });
  worker.start();
  shutdown.addPhase('files of connections', WORKER_STOP_MS, () => worker.stop());
  return {
    links,
    buckets,
    sources: new SourceBytes(objects, links, buckets),
    usecases: [processConnection, new ProcessNode(database, links, queueNodes)],
  };
}
