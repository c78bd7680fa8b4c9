// Shared by the integration specs: the service's use cases with a real database and object store.
import { randomUUID } from 'node:crypto';
import {
  CodedError,
  encodeId,
  searchRequestSchema,
  uuidOf,
  type CallContext,
  type ChunkLine,
  type FileDetails,
  type FileIndexed,
  type FileToIndex,
  type SearchInput,
  type TextLanguage,
} from '@kiln/contracts';
import { createLogger, Database, migrateService, type Logger } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { createTestDatabase, testStorage, TEST_DATABASE_TIMEOUTS } from '@kiln/testing';
import { entities } from '../entities.js';
import { migrations } from '../migrations/index.js';
import type { FileRemovalStore } from '../deletion/file-removal.store.js';
import type { RemovalWorker } from '../deletion/removal.worker.js';
import type { MatchStore } from '../text-index/match.store.js';
import { ChunkStore } from '../text-index/chunk.store.js';
import type { TextIndex } from '../text-index/text-index.service.js';
import type { RankStore } from '../text-index/rank.store.js';
import type { MergeStore } from '../merging/merge.store.js';
import type { MoveTailStore } from '../opensearch/move-tail.store.js';
import type { OpenSearchIndex } from '../opensearch/opensearch-index.adapter.js';
import { IndexFiles } from '../indexing/index-files.usecase.js';
import type { MergeRequests } from '../merging/merge-requests.service.js';
import type { MergeWorker } from '../merging/merge.worker.js';
import { RankExistingFiles } from '../searching/rank-existing-files.usecase.js';
import { RankByVector } from '../searching/rank-by-vector.usecase.js';
import { RankChunks } from '../searching/rank-chunks.usecase.js';
import { RerankChunks } from '../searching/rerank-chunks.usecase.js';
import { SearchFiles } from '../searching/search-files.usecase.js';
import { MemoryVectorIndex } from '../vectors/memory/memory-vector-index.adapter.js';
import { VectorFeed } from '../vectors/vector-feed.store.js';
import type { VectorIndex } from '../vectors/vector-index.port.js';
import { VectorSearch } from '../vectors/vector-search.service.js';
import { openTextIndex, type SearchOptions } from './open-text-index.js';
import { KnownFiles } from './known-files.js';
import { KnownReranker } from './known-reranker.js';
import { encodeVector, KnownVectors } from './known-vectors.js';

export interface FileOfSpec {
  chunks: readonly string[];
  /** Replaces `chunks`: the chunks as the call sends them. */
  lines?: ChunkLine[];
  /** The vectors of the chunks. */
  vectors?: readonly (readonly number[])[];
  model?: string;
  fileId?: string;
  jobId?: string;
  /** The position of the job among the jobs of its file. */
  jobNumber?: number;
  fence?: number;
  title?: string | null;
  filename?: string;
  space?: string;
  contentType?: string | null;
  metadata?: Record<string, string>;
  language?: TextLanguage;
}

export interface SearchHarness {
  database: Database;
  databaseUrl: string;
  objects: ObjectStore;
  /** Files that the files service has deleted, by UUID. All other files exist. */
  deletedFiles: Set<string>;
  /** The files service. */
  files: KnownFiles;
  /** What the files service tells of files, by UUID. */
  fileDetails: Map<string, FileDetails>;
  removals: FileRemovalStore;
  removalWorker: RemovalWorker;
  /** Removes files, by UUID, as after the events of their deletion. */
  remove(tenantId: string, ...fileIds: string[]): Promise<void>;
  merges: MergeStore;
  textIndex: TextIndex;
  searches: RankStore;
  matches: MatchStore;
  indexFiles: IndexFiles;
  mergeRequests: MergeRequests;
  mergeWorker: MergeWorker;
  /** Null without OpenSearch. */
  remote: OpenSearchIndex | null;
  moves: MoveTailStore | null;
  vectorIndex: MemoryVectorIndex;
  /** The provider of embeddings. */
  vectors: KnownVectors;
  /** The reranking model. */
  reranker: KnownReranker;
  /** Opens another process's index, with a memory of its own. */
  openVectors(bytesMax?: number): MemoryVectorIndex;
  searchBy(index: VectorIndex, embedder?: Pick<KnownVectors, 'embed' | 'isAvailable'>): SearchFiles;
  /** Merges the whole tail of the tenant, and purges if enough is removed. */
  merge(tenantId: string): Promise<void>;
  index(file: FileOfSpec & { tenantId: string }): Promise<string>;
  /** Indexes all files in one call. */
  indexTogether(tenantId: string, files: readonly FileOfSpec[]): Promise<FileIndexed[]>;
  indexObject(
    file: Omit<FileOfSpec, 'chunks'> & { tenantId: string },
    ndjson: string,
  ): Promise<{ fileId: string; chunks: number }>;
  search(tenantId: string, query: string, more?: Partial<SearchInput<'search'>>): ReturnType<SearchFiles['execute']>;
  close(): Promise<void>;
}

export const contextOf = (tenantId: string): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 3_600_000,
});

const linesOf = (texts: readonly string[], embedded: FileOfSpec['vectors'] = []) =>
  texts.map((text, index): ChunkLine => {
    const vector = embedded[index];
    const line = { index, text, start: 0, end: text.length, page: null, heading_path: [] };
    return vector ? { ...line, vector: encodeVector(vector) } : line;
  });

export const toNdjson = (texts: readonly string[], vectors?: FileOfSpec['vectors']) =>
  linesOf(texts, vectors)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

const inputOf = (file: Omit<FileOfSpec, 'chunks'>) => ({
  file_id: encodeId('file', file.fileId ?? randomUUID()),
  job_id: encodeId('job', file.jobId ?? randomUUID()),
  job_number: file.jobNumber ?? 1,
  fence: file.fence ?? 1,
  space: file.space ?? 'default',
  filename: file.filename ?? 'x.txt',
  title: file.title ?? null,
  content_type: file.contentType ?? null,
  metadata: file.metadata ?? {},
  ...(file.vectors?.[0] && { embedding: { model: file.model ?? 'small', dimensions: file.vectors[0].length } }),
  language: file.language ?? 'english',
});

/** Longer than a busy machine stands still. */
const PATIENT = { hybrid: 120_000, vector: 120_000 };

function openSearchDatabase(url: string): Promise<Database> {
  const limits = { connectionsMax: 10, ...TEST_DATABASE_TIMEOUTS };
  return Database.open({ url, schema: 'search', entities, ...limits, lookUps: true }, () => undefined);
}

interface PartsBesideVectors {
  database: Database;
  existing: RankExistingFiles;
  files: KnownFiles;
  logger: Logger;
}

function openVectorParts({ database, existing, files, logger }: PartsBesideVectors) {
  const feed = new VectorFeed(database);
  const openVectors = (bytesMax = 268_435_456) => new MemoryVectorIndex({ feed, bytesMax, logger });
  const vectors = new KnownVectors();
  const reranker = new KnownReranker();
  const searchBy: SearchHarness['searchBy'] = (index, embedder = vectors) => {
    const search = new VectorSearch(database, index, embedder, logger);
    const ranking = new RankByVector(search, existing);
    const chunks = new RankChunks(
      existing,
      ranking,
      search,
      new ChunkStore(database),
      { KILN_HYBRID_VECTOR_WEIGHT: 0.3 },
      logger,
      PATIENT,
    );
    return new SearchFiles(chunks, new RerankChunks(reranker, logger), files);
  };
  const known = { deletedFiles: files.deleted, fileDetails: files.details };
  return { ...known, vectors, reranker, vectorIndex: openVectors(), openVectors, searchBy };
}

export async function startSearch(options: SearchOptions = {}): Promise<SearchHarness> {
  const [created, storage] = await Promise.all([createTestDatabase(), testStorage()]);
  await migrateService({ service: 'search', migrations, databaseUrl: created.url });
  const database = await openSearchDatabase(created.url);
  const objects = createS3ObjectStore({ ...storage, forcePathStyle: true });
  await objects.ensureBucket();
  const logger = createLogger({ service: 'search', role: 'all', level: 'error' }, { write: () => {} });
  const index = await openTextIndex({ database, logger }, options);
  const { textIndex, merge, remote } = index;
  const { ranks: searches, matches } = textIndex;
  const indexFiles = new IndexFiles(textIndex, objects, logger);
  const files = new KnownFiles();
  const existing = new RankExistingFiles(textIndex, files);
  const vectorParts = openVectorParts({ database, existing, files, logger });
  const { vectorIndex, searchBy } = vectorParts;
  const searchFiles = searchBy(vectorIndex);

  const answer = async (input: FileToIndex, tenantId: string) => {
    const { files } = await indexFiles.execute({ files: [input] }, contextOf(tenantId));
    const { chunks, refusal } = files[0] ?? { chunks: null, refusal: null };
    if (refusal) throw new CodedError(refusal.code, refusal.message);
    if (options.mergesAtOnce) await merge(tenantId);
    return { fileId: input.file_id, chunks: chunks ?? -1 };
  };
  const indexObject: SearchHarness['indexObject'] = async (file, ndjson) => {
    const input = { ...inputOf(file), chunks: null };
    const key = `${file.tenantId}/${uuidOf('file', input.file_id)}/${input.job_id}/${input.fence}/chunks.ndjson`;
    await objects.put(key, ndjson, { contentType: 'application/x-ndjson' });
    return answer({ ...input, chunks_key: key }, file.tenantId);
  };
  return {
    ...index,
    database,
    searches,
    matches,
    indexFiles,
    ...vectorParts,
    databaseUrl: created.url,
    files,
    objects,
    indexObject,
    indexTogether: async (tenantId, files) => {
      const inputs = files.map((file) => ({
        ...inputOf(file),
        chunks: file.lines ?? linesOf(file.chunks, file.vectors),
        chunks_key: null,
      }));
      return (await indexFiles.execute({ files: inputs }, contextOf(tenantId))).files;
    },
    index: async (file) => {
      const input = { ...inputOf(file), chunks: linesOf(file.chunks, file.vectors), chunks_key: null };
      return (await answer(input, file.tenantId)).fileId;
    },
    search: (tenantId, query, more = {}) =>
      searchFiles.execute({ ...searchRequestSchema.parse({ query, mode: 'text' }), ...more }, contextOf(tenantId)),
    close: async () => {
      await vectorIndex.close();
      await remote?.close();
      objects.close();
      await database.close();
      await created.drop();
    },
  };
}
