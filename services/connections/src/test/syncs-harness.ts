// Shared by the specs of syncs and nodes: a separate bucket in the embedded object store, connected as a customer would connect it, and
// the classes that sync it.
import { encodeId, uuidOf } from '@kiln/contracts';
import { createLogger, type Logger, type WakeUp } from '@kiln/platform';
import { inParallel, type ObjectStore } from '@kiln/storage';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { eventually, testNamespace, testStorage } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { OpenObjects } from '../bucket-objects/open-objects.usecase.js';
import { BucketAccess, type OpenBucket } from '../connections/bucket-access.service.js';
import { LimitedBucketAccess } from '../connections/limited-bucket-access.service.js';
import { BucketCallLimiter } from '../external-buckets/bucket-call-limiter.service.js';
import { TenantSlots } from '../external-buckets/domain/tenant-slots.js';
import { NodeEntity } from '../nodes/node.entity.js';
import { NodeStore } from '../nodes/node.store.js';
import { ManageNodes } from '../nodes/manage-nodes.usecase.js';
import { dependentTables } from '../purge/connection-purge.store.js';
import { BeginListing } from '../syncs/begin-listing.step.js';
import { BucketListing } from '../syncs/bucket-listing.service.js';
import type { SyncLimits } from '../syncs/domain/sync-limits.js';
import { EndSync } from '../syncs/end-sync.usecase.js';
import { InventoryListing } from '../syncs/inventory-listing.service.js';
import { ListingRanges } from '../syncs/listing-ranges.service.js';
import { ManageSyncs } from '../syncs/manage-syncs.usecase.js';
import { MarkedNodeStore } from '../syncs/marked-node.store.js';
import { NodeCompareStore } from '../syncs/node-compare.store.js';
import { NodeCountStore } from '../syncs/node-count.store.js';
import { NodeDigestStore } from '../syncs/node-digest.store.js';
import { NodeSelectionStore } from '../syncs/node-selection.store.js';
import { PreviewSync } from '../syncs/preview-sync.usecase.js';
import { PresentObjects } from '../syncs/present-objects.service.js';
import { RangeListing } from '../syncs/range-listing.service.js';
import { RemovedNodeEntity } from '../nodes/removed-node.entity.js';
import { RemovedNodeStore } from '../syncs/removed-node.store.js';
import { RunSync, type SyncOutcome } from '../syncs/run-sync.usecase.js';
import { SyncPageStore } from '../syncs/sync-page.store.js';
import { SyncWaiters } from '../syncs/sync-waiters.service.js';
import { SyncEntity } from '../syncs/sync.entity.js';
import { LEASE_SECONDS, SyncStore } from '../syncs/sync.store.js';
import { SyncWorker } from '../syncs/sync.worker.js';
import { UnlistedNodeStore } from '../syncs/unlisted-node.store.js';
import { UnlistedNodes } from '../syncs/unlisted-nodes.service.js';
import { NodeUploadEntity } from '../uploads/node-upload.entity.js';
import { NodeUploadStore } from '../uploads/node-upload.store.js';
import { UploadNode } from '../uploads/upload-node.usecase.js';
import {
  contextOf,
  PATIENT_MS,
  startConnections,
  type HarnessOptions,
  type NewConnection,
} from './connections-harness.js';

export const silentLogger: Logger = createLogger(
  { service: 'connections', role: 'all', level: 'error' },
  { write: () => {} },
);

export type SyncsHarness = Awaited<ReturnType<typeof startSyncs>>;

/** Each waits for the disk of the store. */
const PUTS_AT_A_TIME = 50;

/** A bucket, and the input that connects it. */
export async function newBucket() {
  const storage = await testStorage();
  const bucket = testNamespace();
  const objects: ObjectStore = createS3ObjectStore({ ...storage, bucket, forcePathStyle: true });
  await objects.ensureBucket();
  const put = (keys: readonly string[], text = 'text') =>
    inParallel(keys, PUTS_AT_A_TIME, async (key) => void (await objects.put(key, text, { contentType: 'text/plain' })));
  const connection = {
    provider: 'selfhost_s3' as const,
    name: 'Documents',
    bucket,
    credentials: {
      access_key_id: storage.accessKeyId,
      secret_access_key: storage.secretAccessKey,
      endpoint: storage.endpoint,
    },
  };
  return { objects, put, connection };
}

/** Called with the keys of each page before the listing continues. */
export type OnPage = (keys: readonly string[]) => Promise<void> | void;

/** Lists the bucket in pages of another size, and reports each page. */
export class WatchedAccess extends BucketAccess {
  pageSize = 1_000;
  onPage: OnPage = () => undefined;

  override use<Result>(tenantId: string, connectionId: string, work: (opened: OpenBucket) => Promise<Result>) {
    return super.use(tenantId, connectionId, ({ bucket, connection }) => {
      const list: typeof bucket.list = async (request) => {
        const page = await bucket.list({ ...request, limit: Math.min(this.pageSize, request.limit) });
        await this.onPage(page.objects.map(({ key }) => key));
        return page;
      };
      const watched = new Proxy(bucket, {
        get: (target, name) => (name === 'list' ? list : bound(target, name)),
      });
      return work({ bucket: watched, connection });
    });
  }
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
}

export const newLimits = (): SyncLimits => ({
  pagesPerClaim: 1_000,
  claimMs: 60_000,
  requests: 1,
  pagesBeforeSplit: 1,
  emptyPages: 10,
  nodes: 100_000,
  syncMs: 3_600_000,
});

async function startParts(options: HarnessOptions) {
  const kiln = await startConnections({ dependentTables, ...options });
  const { database, connections, buckets } = kiln;
  const syncs = new SyncStore(database, database.dataSource.getRepository(SyncEntity));
  const pages = new SyncPageStore(database);
  const nodes = new NodeStore(database);
  const uploads = new NodeUploadStore(database, database.dataSource.getRepository(NodeUploadEntity));
  const access = new WatchedAccess(connections, buckets, { requestTimeoutMs: PATIENT_MS });
  const waiters = new SyncWaiters(syncs);
  const waiting = new LimitedBucketAccess(access, new BucketCallLimiter(PATIENT_MS));
  const ringers = new Set<() => void>();
  const wakeUp = {
    send: () => {
      ringers.forEach((ring) => ring());
      waiters.wakeUp();
    },
  } as unknown as WakeUp;
  const limits = newLimits();
  const requests = new TenantSlots(4, 6);
  const counts = new NodeCountStore(database);
  const removedNodes = new RemovedNodeStore(database, database.dataSource.getRepository(RemovedNodeEntity));
  const unlistedNodes = new UnlistedNodeStore(database);
  const present = new PresentObjects(new MarkedNodeStore(database), unlistedNodes, access, limits);
  const unlisted = new UnlistedNodes(syncs, unlistedNodes, new NodeDigestStore(database), counts, present);
  const listings = new RangeListing(syncs, pages, unlisted);
  const inventories = new InventoryListing(listings, access);
  const beginListing = new BeginListing(pages, counts, new ListingRanges(pages), inventories);
  const end = new EndSync(database, syncs, connections, silentLogger);
  return {
    ...kiln,
    limits,
    syncs,
    pages,
    unlistedNodes,
    nodes,
    uploads,
    access,
    waiters,
    ringers,
    runSync: new RunSync(
      syncs,
      unlisted,
      removedNodes,
      new NodeSelectionStore(database),
      new BucketListing(beginListing, listings, inventories, access, limits, requests),
      end,
    ),
    manageSyncs: new ManageSyncs(connections, syncs, waiters, wakeUp),
    preview: new PreviewSync(waiting, new NodeCompareStore(database, database.dataSource.getRepository(NodeEntity))),
    manageNodes: new ManageNodes(connections, nodes, waiting),
    uploadNode: new UploadNode(nodes, uploads, waiting, waiting),
    openObjects: new OpenObjects(connections, nodes, waiting, waiting),
  };
}

type Parts = Awaited<ReturnType<typeof startParts>>;

function startWorker({ syncs, runSync, waiters, ringers }: Parts, concurrency: number, pollMs: number) {
  const ended: SyncOutcome[] = [];
  const onEnded = (outcome: SyncOutcome) => {
    ended.push(outcome);
    waiters.wakeUp();
  };
  const options = { syncs, runSync, concurrency, leaseSeconds: LEASE_SECONDS, logger: silentLogger, onEnded, pollMs };
  const worker = new SyncWorker(options);
  const ring = () => {
    worker.wakeUp();
    worker.renewLeases();
  };
  ringers.add(ring);
  worker.start();
  const stop = async () => {
    ringers.delete(ring);
    await worker.stop();
  };
  return { worker, ended, stop };
}

export async function startSyncs(options: HarnessOptions = {}) {
  const kiln = await startParts(options);
  const { syncs, runSync, manageSyncs, sql } = kiln;
  const begin = async (tenantId: string, connectionId: string, force = false) => {
    const row = await syncs.start(tenantId, uuidv7(), connectionId, force);
    if (row === null || row === 'busy') throw new Error(`not started: ${row}`);
    return row;
  };
  const claimOne = async () => {
    const [claimed] = await syncs.claim(1, LEASE_SECONDS, { held: new Map(), heldMax: 1 });
    if (!claimed) throw new Error('nothing to claim');
    return claimed;
  };
  const startSync = (tenantId: string, connectionId: string, deadlineMs = 60_000) =>
    manageSyncs.start(
      { connection_id: encodeId('connection', connectionId), sync_id: encodeId('sync', uuidv7()), force: false },
      { ...contextOf(tenantId), deadlineAt: Date.now() + deadlineMs },
    );
  return {
    ...kiln,
    begin,
    claimOne,
    /** Polls often, because the specs make rows due without a wake-up. */
    newWorker: (concurrency = 4, pollMs = 1_000) => startWorker(kiln, concurrency, pollMs),
    /** Connects a bucket. Returns the connection's uuid. */
    connect: async (tenantId: string, connection: NewConnection) =>
      uuidOf('connection', (await kiln.create(tenantId, connection)).id),
    /** Runs a whole sync without a worker. Returns its row. */
    sync: async (tenantId: string, connectionId: string, force = false) => {
      const { id } = await begin(tenantId, connectionId, force);
      const outcome = await runSync.execute(await claimOne(), new AbortController().signal);
      return { outcome, row: await syncs.find(tenantId, id) };
    },
    startSync,
    /** Starts a sync and returns it once it has completed. A busy machine may need longer than a request waits. */
    completed: (tenantId: string, connectionId: string) =>
      eventually(async () => {
        const sync = await startSync(tenantId, connectionId);
        if (sync.status !== 'completed') throw new Error(`the sync is ${sync.status}`);
        return sync;
      }),
    /** The paths of the nodes, sorted. */
    paths: async (connectionId: string) => {
      const text = 'select path from visible_nodes where connection_id = $1 order by path';
      return (await sql<{ path: string }>(text, [connectionId])).map(({ path }) => path);
    },
    emitted: () =>
      sql<{ type: string; data: Record<string, unknown> }>(
        `select type, envelope::jsonb -> 'data' as data from outbox where type like 'connection.sync%' order by sequence`,
      ),
    leasesEnd: () => sql(`update syncs set due_at = now() - interval '1 minute' where due_at > now()`),
  };
}
