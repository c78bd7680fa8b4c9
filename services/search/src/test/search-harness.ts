// What the integration specs share: the service's use cases on a real database and object store.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { encodeId, type CallContext, type ChunkLine } from '@kiln/contracts';
import { createLogger, Database, migrateService } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { createTestDatabase, testStorage } from '@kiln/testing';
import { IndexStore } from '../store/index.store.js';
import { MergeStore } from '../store/merge.store.js';
import { PurgeStore } from '../store/purge.store.js';
import { SearchStore } from '../store/search.store.js';
import { IndexFile } from '../usecases/index-file.usecase.js';
import { MaintainIndex } from '../usecases/maintain-index.usecase.js';
import { SearchFiles } from '../usecases/search-files.usecase.js';

export interface FileToIndex {
  tenantId: string;
  chunks: readonly string[];
  fileId?: string;
  jobId?: string;
  /** The place of the job among the jobs of its file. */
  jobNumber?: number;
  fence?: number;
  title?: string | null;
  filename?: string;
  space?: string;
  contentType?: string | null;
  metadata?: Record<string, string>;
}

export interface SearchHarness {
  database: Database;
  databaseUrl: string;
  objects: ObjectStore;
  merges: MergeStore;
  maintainIndex: MaintainIndex;
  /** Merges the whole tail of the tenant, and purges what it is time to purge. */
  merge(tenantId: string): Promise<void>;
  /** Indexes and answers the TypeID of the file. */
  index(file: FileToIndex): Promise<string>;
  indexObject(file: Omit<FileToIndex, 'chunks'>, ndjson: string): Promise<{ fileId: string; chunks: number }>;
  search(
    tenantId: string,
    query: string,
    more?: Partial<Parameters<SearchFiles['execute']>[0]>,
  ): ReturnType<SearchFiles['execute']>;
  close(): Promise<void>;
}

export const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

const contextOf = (tenantId: string): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 120_000,
});

export function toNdjson(texts: readonly string[]): string {
  return texts
    .map((text, index): ChunkLine => ({ index, text, start: 0, end: text.length, page: null, heading_path: [] }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

export async function startSearch(): Promise<SearchHarness> {
  const [created, storage] = await Promise.all([createTestDatabase(), testStorage()]);
  await migrateService({ service: 'search', directory: MIGRATIONS, databaseUrl: created.url });
  const options = { url: created.url, schema: 'search', connectionsMax: 10, statementTimeoutMs: 10_000, byIndex: true };
  const database = new Database(options, () => undefined);
  const objects = createS3ObjectStore({ ...storage, forcePathStyle: true });
  await objects.ensureBucket();
  const logger = createLogger({ service: 'search', role: 'all', level: 'error' }, { write: () => {} });
  // Its loop is not started: specs merge when they say so.
  const merges = new MergeStore(database);
  const maintainIndex = new MaintainIndex(merges, new PurgeStore(database), logger);
  const indexFile = new IndexFile(new IndexStore(database), maintainIndex, objects);
  const searchFiles = new SearchFiles(new SearchStore(database), maintainIndex);

  const indexObject: SearchHarness['indexObject'] = async (file, ndjson) => {
    const { tenantId, fileId = randomUUID(), jobId = randomUUID(), jobNumber = 1, fence = 1 } = file;
    const key = `${tenantId}/${fileId}/${jobId}/${fence}/chunks.ndjson`;
    await objects.put(key, ndjson, { contentType: 'application/x-ndjson' });
    const input = {
      file_id: encodeId('file', fileId),
      job_id: encodeId('job', jobId),
      job_number: jobNumber,
      fence,
      space: file.space ?? 'default',
      filename: file.filename ?? 'x.txt',
      title: file.title ?? null,
      content_type: file.contentType ?? null,
      metadata: file.metadata ?? {},
      chunks_key: key,
    };
    const { chunks } = await indexFile.execute(input, contextOf(tenantId));
    return { fileId: input.file_id, chunks };
  };
  return {
    database,
    merges,
    maintainIndex,
    databaseUrl: created.url,
    objects,
    indexObject,
    index: async (file) => (await indexObject(file, toNdjson(file.chunks))).fileId,
    merge: async (tenantId) => {
      while (await maintainIndex.maintain(tenantId, 1));
    },
    search: (tenantId, query, more = {}) =>
      searchFiles.execute({ query, mode: 'text', limit: 20, ...more }, contextOf(tenantId)),
    close: async () => {
      objects.close();
      await database.close();
      await created.drop();
    },
  };
}
