// What the integration specs share: the service's use cases on a real database and object store.
import {
  encodeId,
  unavailable,
  type CallContext,
  type filesOperations,
  type Operation,
  type OperationInput,
} from '@kiln/contracts';
import { createLogger, Database, migrateService, type Logger, type RpcClient } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { createTestDatabase, testStorage } from '@kiln/testing';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { BucketObjects } from '../adapters/bucket-objects.js';
import { BatchStore } from '../store/batch.store.js';
import { ConnectionFileStore } from '../store/connection-file.store.js';
import { ConnectionRunStore } from '../store/connection-run.store.js';
import { DeletionStore } from '../store/deletion.store.js';
import { FileListStore } from '../store/file-list.store.js';
import { FileTermsStore } from '../store/file-terms.store.js';
import { FileStore } from '../store/file.store.js';
import { FileWithVariantsStore } from '../store/file-with-variants.store.js';
import { PendingUploadStore } from '../store/pending-upload.store.js';
import { OrphanSearchStore } from '../store/orphan-search.store.js';
import { RemovalStore } from '../store/removal.store.js';
import { SpaceStore } from '../store/space.store.js';
import { VariantStore } from '../store/variant.store.js';
import { CreateFile } from '../usecases/create-file.usecase.js';
import { CreateUpload } from '../usecases/create-upload.usecase.js';
import { CreateUploads } from '../usecases/create-uploads.usecase.js';
import { DownloadFile } from '../usecases/download-file.usecase.js';
import { DeleteFiles } from '../usecases/delete-files.usecase.js';
import { DeleteHiddenFiles } from '../usecases/delete-hidden-files.usecase.js';
import { DeleteSpace } from '../usecases/delete-space.usecase.js';
import { OpenSource } from '../usecases/open-source.js';
import { OwnBucket } from '../usecases/own-bucket.js';
import { ProcessConnection } from '../usecases/process-connection.usecase.js';
import { ProcessFile } from '../usecases/process-file.usecase.js';
import { ProcessFiles } from '../usecases/process-files.usecase.js';
import { ProcessNode } from '../usecases/process-node.usecase.js';
import { QueueNodes } from '../usecases/queue-nodes.usecase.js';
import { ReadBatch } from '../usecases/read-batch.usecase.js';
import { ReadFiles } from '../usecases/read-files.usecase.js';
import { ReadSpaces } from '../usecases/read-spaces.usecase.js';
import { ReadVariants } from '../usecases/read-variants.usecase.js';
import { ReceiveUpload } from '../usecases/receive-upload.usecase.js';
import { RemoveObjects } from '../usecases/remove-objects.usecase.js';
import { RegisterFile } from '../usecases/register-file.usecase.js';
import { SourceBytes } from '../usecases/source-bytes.js';
import { ConnectionRunsWorker } from '../workers/connection-runs.worker.js';

type Ops = typeof filesOperations;
export type NewStoredFile = OperationInput<Ops['createFile']>;

export const silentLogger: Logger = createLogger(
  { service: 'files', role: 'all', level: 'error' },
  { write: () => {} },
);
const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const SIGNED_URL_SECONDS = 3_600;
/** More than any spec uploads but those about the limit. */
export const UPLOAD_BYTES_MAX = 2_000_000;

export const contextOf = (tenantId: string): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 60_000,
});

/** A file whose bytes are in storage, as the gateway registers it. */
export function storedFile(overrides: Partial<NewStoredFile> = {}): NewStoredFile {
  return {
    file_id: encodeId('file', uuidv7()),
    job_id: encodeId('job', uuidv7()),
    space: 'default',
    filename: 'report.md',
    size_bytes: 10,
    sha256: 'a'.repeat(64),
    skip_processing: false,
    metadata: {},
    ...overrides,
  };
}

/** The same as a request for a direct upload. */
export function directUpload(overrides: Partial<NewStoredFile> = {}): OperationInput<Ops['createUpload']> {
  const { sha256: _sha256, size_bytes: _sizeBytes, ...upload } = storedFile(overrides);
  return upload;
}

export type FilesHarness = Awaited<ReturnType<typeof startFiles>>;

async function openParts(bucket?: string) {
  const [created, storage] = await Promise.all([createTestDatabase(), testStorage()]);
  await migrateService({ service: 'files', directory: MIGRATIONS, databaseUrl: created.url });
  const options = { url: created.url, schema: 'files', connectionsMax: 10, statementTimeoutMs: 10_000 };
  const database = new Database(options, () => undefined);
  const objects: ObjectStore = createS3ObjectStore({
    ...storage,
    ...(bucket !== undefined && { bucket }),
    forcePathStyle: true,
  });
  await objects.ensureBucket();
  return { created, database, objects };
}

export interface FilesOptions {
  /** Instead of the one that all specs share. */
  bucket?: string;
  /** What the connections and jobs services answer. */
  connectionsAnswer?: (operation: Operation, input: never, context: CallContext) => Promise<unknown>;
  filesPerCallMax?: number;
  /** Called when an upload is pending. */
  onPending?: () => void;
}

interface ConnectedOptions {
  database: Database;
  objects: ObjectStore;
  batches: BatchStore;
  removals: RemovalStore;
  deletions: DeletionStore;
  rpc: Pick<RpcClient, 'call'>;
  filesPerCallMax: number;
}

/** What files in connected buckets need. */
function connectedParts({ database, objects, batches, removals, deletions, rpc, filesPerCallMax }: ConnectedOptions) {
  const links = new ConnectionFileStore(database);
  const buckets = new BucketObjects(rpc);
  const queueNodes = new QueueNodes({ database, links, batches, removals, rpc });
  const runs = new ConnectionRunStore(database);
  const processConnection = new ProcessConnection(runs, queueNodes, rpc, () => undefined, filesPerCallMax);
  return {
    links,
    buckets,
    runs,
    processConnection,
    sources: new SourceBytes(objects, links, buckets),
    processNode: new ProcessNode(database, links, queueNodes),
    connectionRuns: new ConnectionRunsWorker({ runs, processConnection, events: deletions, logger: silentLogger }),
  };
}

/** What deletes, and what searches for orphans. */
function deletionParts({
  database,
  objects,
  removals,
  deletions,
}: Pick<ConnectedOptions, 'database' | 'objects' | 'removals' | 'deletions'>) {
  const orphanSearch = new OrphanSearchStore(database);
  const removed = { objects: 0, bytes: 0 };
  const counters = {
    objects: { inc: (count: number) => void (removed.objects += count) },
    bytes: { inc: (count: number) => void (removed.bytes += count) },
  };
  return {
    deletions,
    removals,
    orphanSearch,
    ownBucket: new OwnBucket(orphanSearch, objects),
    /** What `removeObjects` has removed. */
    removed,
    deleteFiles: new DeleteFiles(database, deletions, () => undefined),
    deleteSpace: new DeleteSpace(database, deletions, () => undefined),
    deleteHiddenFiles: new DeleteHiddenFiles(database, deletions, () => undefined),
    removeObjects: new RemoveObjects(removals, objects, counters, silentLogger, UPLOAD_BYTES_MAX),
  };
}

const nobodyAnswers = () => Promise.reject(unavailable('The connections service'));

export async function startFiles({
  bucket,
  connectionsAnswer = nobodyAnswers,
  filesPerCallMax = 1_000,
  onPending = () => undefined,
}: FilesOptions = {}) {
  const { created, database, objects } = await openParts(bucket);
  const files = new FileStore(database);
  const variants = new VariantStore(database);
  const pendingUploads = new PendingUploadStore(database);
  const batches = new BatchStore(database);
  const receiveUpload = new ReceiveUpload(database, files, objects, UPLOAD_BYTES_MAX, () => undefined);
  const registerFile = new RegisterFile(database, files, SIGNED_URL_SECONDS);
  const deletions = new DeletionStore(database, SIGNED_URL_SECONDS);
  const removals = new RemovalStore(database);
  const rpc = { call: connectionsAnswer as RpcClient['call'] };
  const connected = connectedParts({ database, objects, batches, removals, deletions, rpc, filesPerCallMax });
  const { links, buckets, sources } = connected;
  const sql = <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
    database.query({ name: '', text }, values);
  return {
    database,
    databaseUrl: created.url,
    objects,
    files,
    pendingUploads,
    sql,
    createFile: new CreateFile(registerFile),
    createUpload: new CreateUpload(registerFile, objects, SIGNED_URL_SECONDS, onPending),
    processFile: new ProcessFile(
      database,
      files,
      variants,
      new FileTermsStore(),
      objects,
      new OpenSource(buckets, links),
    ),
    readFiles: new ReadFiles(new FileWithVariantsStore(database), new FileListStore(database)),
    readVariants: new ReadVariants(database, files, variants, objects, SIGNED_URL_SECONDS),
    createUploads: new CreateUploads(database, batches, files, objects, SIGNED_URL_SECONDS, onPending),
    readBatch: new ReadBatch(batches),
    processFiles: new ProcessFiles(database, files, batches, receiveUpload, sources, removals),
    downloadFile: new DownloadFile(files, objects, SIGNED_URL_SECONDS, sources, buckets),
    readSpaces: new ReadSpaces(new SpaceStore(database)),
    receiveUpload,
    ...connected,
    ...deletionParts({ database, objects, removals, deletions }),
    /** Types of the events about this file, in order. */
    eventsOf: async (fileId: string) => {
      const text = `select type from outbox where envelope::jsonb -> 'data' ->> 'file_id' = $1 order by sequence`;
      return (await sql<{ type: string }>(text, [fileId])).map((row) => row.type);
    },
    close: async () => {
      objects.close();
      await database.close();
      await created.drop();
    },
  };
}
