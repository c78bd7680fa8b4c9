// Shared by the integration specs: the use cases of the service on a real database and object store.
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
import { createTestDatabase, testStorage, TEST_DATABASE_TIMEOUTS } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { ReadBatch } from '../batches/read-batch.usecase.js';
import { ConnectionRunsWorker } from '../connections/connection-runs.worker.js';
import { DeleteNodeFiles } from '../connections/delete-node-files.usecase.js';
import { ProcessConnection } from '../connections/process-connection.usecase.js';
import { ProcessNode } from '../connections/process-node.usecase.js';
import { QueueNodes } from '../connections/queue-nodes.usecase.js';
import { MoveNodeFiles } from '../connections/move-node-files.usecase.js';
import { NodeSelectionStore } from '../connections/node-selection.store.js';
import { NodeSelectionsWorker } from '../connections/node-selections.worker.js';
import { QueueSelection } from '../connections/queue-selection.usecase.js';
import { QueuePage } from '../connections/queue-page.usecase.js';
import { RemovedNodeStore } from '../connections/removed-node.store.js';
import { DeleteFilesOfSpaces } from '../deletion/delete-files-of-spaces.usecase.js';
import { DeleteFiles } from '../deletion/delete-files.usecase.js';
import { DeleteSpace } from '../deletion/delete-space.usecase.js';
import { JobDeletion } from '../deletion/job-deletion.adapter.js';
import { RemoveObjects } from '../deletion/remove-objects.usecase.js';
import { entities } from '../entities.js';
import { ContentMatches } from '../files/content-matches.adapter.js';
import { DownloadFile } from '../files/download-file.usecase.js';
import { ExternalIdStore } from '../files/external-id.store.js';
import { FileListStore } from '../files/file-list.store.js';
import { FileWithVariantsStore } from '../files/file-with-variants.store.js';
import { FilteredList } from '../files/filtered-list.service.js';
import { ReadFiles } from '../files/read-files.usecase.js';
import { SearchList } from '../files/search-list.service.js';
import { migrations } from '../migrations/index.js';
import { OwnBucket } from '../orphans/own-bucket.service.js';
import { GetPageImage } from '../page-images/get-page-image.usecase.js';
import { AbortParts } from '../parts/abort-parts.usecase.js';
import { ProcessFiles } from '../processing/process-files.usecase.js';
import { BeginRuns } from '../runs/begin-runs.usecase.js';
import { FinishRuns } from '../runs/finish-runs.usecase.js';
import { RunStore } from '../runs/run.store.js';
import { BucketObjects } from '../sources/bucket-objects.adapter.js';
import { OpenSource } from '../sources/open-source.usecase.js';
import { SourceBytes } from '../sources/source-bytes.service.js';
import { ReadSpaces } from '../spaces/read-spaces.usecase.js';
import { SpaceStore } from '../spaces/space.store.js';
import { FileUpdateStore } from '../updates/file-update.store.js';
import { UpdateFile } from '../updates/update-file.usecase.js';
import { ReceiveUpload } from '../uploads/receive-upload.usecase.js';
import { RegisterFiles } from '../uploads/register-files.usecase.js';
import { ReadVariants } from '../variants/read-variants.usecase.js';
import { VariantEntity } from '../variants/variant.entity.js';
import { VariantContentStore } from '../variants/variant-content.store.js';
import { FileContents } from './file-contents.js';
import { replacementParts } from './replacement-parts.js';
import { RunCalls } from './run-calls.js';
import { SIGNED_URL_SECONDS, storesOf } from './stores.js';

type Ops = typeof filesOperations;
export type NewStoredFile = OperationInput<Ops['createFile']> & { space: string };

export const silentLogger: Logger = createLogger(
  { service: 'files', role: 'all', level: 'error' },
  { write: () => {} },
);
/** The specs upload less, except those about the limit. */
export const UPLOAD_BYTES_MAX = 2_000_000;

export const contextOf = (tenantId: string): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 3_600_000,
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
  await migrateService({ service: 'files', migrations, databaseUrl: created.url });
  const database = await Database.open(
    {
      url: created.url,
      schema: 'files',
      entities,
      byIndex: true,
      connectionsMax: 10,
      ...TEST_DATABASE_TIMEOUTS,
    },
    () => undefined,
  );
  const objects: ObjectStore = createS3ObjectStore({
    ...storage,
    ...(bucket !== undefined && { bucket }),
    forcePathStyle: true,
  });
  await objects.ensureBucket();
  return { created, database, objects };
}

export interface FilesOptions {
  /** Default: the bucket that all specs share. */
  bucket?: string;
  /** Answers of the connections and jobs services. */
  connectionsAnswer?: (operation: Operation, input: never, context: CallContext) => Promise<unknown>;
  filesPerCallMax?: number;
  /** Is called when a direct upload is registered. */
  onUpload?: () => void;
}

interface Parts extends ReturnType<typeof storesOf> {
  database: Database;
  objects: ObjectStore;
  rpc: Pick<RpcClient, 'call'>;
}

const NO_WAKE_UP = { wakeUp: () => undefined };

/** The use cases for files in external buckets, as the modules wire them. */
function connectionParts(parts: Parts, filesPerCallMax: number) {
  const { database, objects, rpc, newFiles, links, batches, fileJobs, removals, runs, backlog, deletions } = parts;
  const removedNodes = new RemovedNodeStore();
  const buckets = new BucketObjects(rpc);
  const queueNodes = new QueueNodes(database, newFiles, links, batches, fileJobs, removals, removedNodes, rpc);
  const queuePage = new QueuePage(runs, queueNodes, rpc);
  const selections = new NodeSelectionStore(database);
  const queueSelection = new QueueSelection(selections, queueNodes, rpc);
  return {
    buckets,
    queuePage,
    sources: new SourceBytes(objects, links, buckets),
    processConnection: new ProcessConnection(runs, queuePage, NO_WAKE_UP, filesPerCallMax),
    processNode: new ProcessNode(database, links, queueNodes),
    deleteNodeFiles: new DeleteNodeFiles(links, removedNodes, deletions),
    moveNodeFiles: new MoveNodeFiles(links, new FileUpdateStore()),
    selections,
    selectionsWorker: new NodeSelectionsWorker(selections, queueSelection, backlog, silentLogger),
    connectionRuns: new ConnectionRunsWorker(runs, queuePage, backlog, silentLogger),
  };
}

/** The use cases of deletion and of the search for orphans, as the modules wire them. */
function deletionParts({ database, objects, removals, partUploads, deletions, orphanSearch, backlog, rpc }: Parts) {
  const abortParts = new AbortParts(partUploads, objects);
  const removed = { objects: 0, bytes: 0 };
  const counters = {
    objects: { add: (count: number) => void (removed.objects += count) },
    bytes: { add: (count: number) => void (removed.bytes += count) },
  };
  return {
    ownBucket: new OwnBucket(orphanSearch, objects),
    /** The keys that `removeObjects` has removed. */
    removed,
    deleteFiles: new DeleteFiles(database, deletions, new JobDeletion(rpc, silentLogger), NO_WAKE_UP),
    deleteSpace: new DeleteSpace(database, deletions, NO_WAKE_UP),
    deleteFilesOfSpaces: new DeleteFilesOfSpaces(database, deletions, backlog, () => undefined),
    abortParts,
    removeObjects: new RemoveObjects(removals, abortParts, objects, counters, silentLogger, UPLOAD_BYTES_MAX),
  };
}

/** The use cases of uploads and reads, as the modules wire them. */
function fileParts(parts: Parts, { buckets, sources }: ReturnType<typeof connectionParts>, onUpload: () => void) {
  const { database, objects, rpc, files, newFiles, arrivals, fileJobs, batches, links, removals } = parts;
  const lists = new FileListStore(database);
  const searchLists = new SearchList(lists, new ContentMatches(rpc));
  const { replaceContent, registerReplacement, receiveReplacement } = replacementParts(parts, UPLOAD_BYTES_MAX);
  const receiveUpload = new ReceiveUpload(
    database,
    files,
    arrivals,
    objects,
    UPLOAD_BYTES_MAX,
    NO_WAKE_UP,
    receiveReplacement,
  );
  const pending = { expectUpload: onUpload };
  const runStore = new RunStore(database);
  const filteredLists = new FilteredList(files);
  const readFiles = new ReadFiles(new FileWithVariantsStore(database), files, lists, searchLists, filteredLists);
  const externalIds = new ExternalIdStore(database);
  return {
    receiveUpload,
    receiveReplacement,
    registerFiles: new RegisterFiles(
      database,
      newFiles,
      files,
      externalIds,
      batches,
      replaceContent,
      registerReplacement,
      objects,
      SIGNED_URL_SECONDS,
      pending,
    ),
    runCalls: new RunCalls(
      new BeginRuns(database, runStore, new OpenSource(buckets, links)),
      new FinishRuns(database, runStore),
    ),
    readFiles,
    updateFile: new UpdateFile(database, new FileUpdateStore(), externalIds, readFiles),
    searchLists,
    readVariants: new ReadVariants(
      files,
      new VariantContentStore(database, database.dataSource.getRepository(VariantEntity)),
      objects,
      SIGNED_URL_SECONDS,
    ),
    readBatch: new ReadBatch(batches),
    readSpaces: new ReadSpaces(new SpaceStore(database)),
    processFiles: new ProcessFiles(database, files, fileJobs, receiveUpload, sources, removals),
    getPageImage: new GetPageImage(files, objects, sources, new OpenSource(buckets, links), rpc),
    downloadFile: new DownloadFile(files, objects, SIGNED_URL_SECONDS, sources, buckets),
  };
}

const noAnswer = () => Promise.reject(unavailable('The connections service'));

export async function startFiles({
  bucket,
  connectionsAnswer = noAnswer,
  filesPerCallMax = 1_000,
  onUpload = () => undefined,
}: FilesOptions = {}) {
  const { created, database, objects } = await openParts(bucket);
  const contents = new FileContents();
  const call = (operation: Operation, input: never, context: CallContext) =>
    contents.answers(operation)
      ? contents.answer(operation, input, context)
      : connectionsAnswer(operation, input, context);
  const rpc = { call: call as RpcClient['call'] };
  const parts = { database, objects, rpc, ...storesOf(database) };
  const connections = connectionParts(parts, filesPerCallMax);
  const sql = <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
    database.query({ name: '', text }, values);
  return {
    ...parts,
    ...connections,
    ...deletionParts(parts),
    ...fileParts(parts, connections, onUpload),
    databaseUrl: created.url,
    /** The matches of list searches, besides names. */
    contents,
    sql,
    /** Id of the space with this name, which is created if it does not exist. */
    spaceId: async (tenantId: string, name: string) => {
      const [space] = await sql<{ id: string }>('select id from hold_spaces($1, $2)', [tenantId, [name]]);
      if (!space) throw new Error('no space');
      return space.id;
    },
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
