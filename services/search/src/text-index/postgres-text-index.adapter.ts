// The text index in PostgreSQL. Files are written to the tail of their tenant and merged in the background. The passages that a write or a
// search counts in the tail decide when. See docs/adr/0014-posting-blocks.md.
import { Database, type Queryable } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { FileRemovalStore } from '../deletion/file-removal.store.js';
import { IndexStore } from './index.store.js';
import { NewFilesStore } from './new-files.store.js';
import { MergeRequests } from '../merging/merge-requests.service.js';
import type { RunOrder } from '../indexing/run.domain.js';
import { facetsOfFilter } from '../postings/domain/facet.js';
import { ClearIndexStore } from './clear-index.store.js';
import { ChunkStore } from './chunk.store.js';
import { MatchStore } from './match.store.js';
import { VectorCopyRequests } from '../vectors/pgvector/vector-copy-requests.service.js';
import { PostingsMemory } from './postings-memory.domain.js';
import { RankStore } from './rank.store.js';
import { REMOTE_INDEX, type RemoteIndex } from './remote-index.port.js';
import type { RankedFile } from './skipped-files.domain.js';
import type {
  BestLimits,
  ChunkBatches,
  FileVersion,
  IndexedFile,
  NewFile,
  RankLimits,
  Ranking,
  SearchFilter,
  TextIndex,
} from './text-index.port.js';

@Injectable()
export class PostgresTextIndex implements TextIndex {
  readonly ranks: RankStore;
  readonly matches: MatchStore;
  private readonly newFiles: NewFilesStore;
  private readonly files: IndexStore;
  private readonly cleared: ClearIndexStore;
  private readonly removals: FileRemovalStore;
  private readonly chunks: ChunkStore;

  constructor(
    database: Database,
    @Inject(MergeRequests) private readonly mergeRequests: Pick<MergeRequests, 'afterSearch' | 'afterWrite'>,
    memory: PostingsMemory,
    @Inject(VectorCopyRequests) private readonly vectorCopies: Pick<VectorCopyRequests, 'request'>,
    @Inject(REMOTE_INDEX) remote: RemoteIndex | null,
  ) {
    this.ranks = new RankStore(database, memory, remote);
    this.matches = new MatchStore(database, memory, remote);
    this.newFiles = new NewFilesStore(database);
    this.files = new IndexStore(database);
    this.cleared = new ClearIndexStore(database);
    this.removals = new FileRemovalStore(database);
    this.chunks = new ChunkStore(database);
  }

  async add(tenantId: string, files: readonly NewFile[]): Promise<ReadonlySet<string>> {
    const { fileIds, unmerged } = await this.newFiles.write(tenantId, files);
    this.mergeRequests.afterWrite(tenantId, unmerged);
    this.vectorCopies.request(tenantId);
    return fileIds;
  }

  async replace(file: IndexedFile, batches: ChunkBatches, again: boolean): Promise<number> {
    const { chunks, unmerged } = await this.files.replace(file, batches, again);
    this.mergeRequests.afterWrite(file.tenantId, unmerged);
    this.vectorCopies.request(file.tenantId);
    return chunks;
  }

  clear(tenantId: string, fileId: string, run: RunOrder): Promise<void> {
    return this.cleared.clear(tenantId, fileId, run);
  }

  remove(transaction: Queryable, tenantId: string, fileId: string): Promise<void> {
    return this.removals.remove(transaction, tenantId, fileId);
  }

  async rank(tenantId: string, query: string, filter: SearchFilter, limits: RankLimits): Promise<Ranking> {
    const { unmerged, ...ranking } = await this.ranks.rank(tenantId, query, facetsOfFilter(filter), limits);
    this.mergeRequests.afterSearch(tenantId, unmerged);
    return ranking;
  }

  best(tenantId: string, query: string, filter: SearchFilter, limits: BestLimits): Promise<RankedFile[]> {
    return this.ranks.best(tenantId, query, facetsOfFilter(filter), limits);
  }

  async match(tenantId: string, text: string, filter: SearchFilter): Promise<string | null> {
    const { packed, unmerged } = await this.matches.match(tenantId, text, facetsOfFilter(filter));
    this.mergeRequests.afterSearch(tenantId, unmerged);
    return packed;
  }

  matchAmong(tenantId: string, text: string, fileIds: readonly string[]): Promise<string[]> {
    return this.matches.matchAmong(tenantId, text, fileIds);
  }

  readTexts(tenantId: string, chunks: readonly (FileVersion & { index: number })[]) {
    return this.chunks.readTexts(tenantId, chunks);
  }

  readChunks(tenantId: string, fileId: string, page: { after: number; limit: number }) {
    return this.chunks.readChunks(tenantId, fileId, page);
  }

  readAround(tenantId: string, chunks: readonly { fileId: string; index: number }[]) {
    return this.chunks.readAround(tenantId, chunks);
  }
}
