// The index that finds files by their words. Files are written to the tail of their tenant and merged in the background. The passages that a
// write or a search counts in the tail decide when. See docs/adr/0014-posting-blocks.md.
import { Database } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { MergeRequests } from '../merging/merge-requests.service.js';
import { facetsOfFilter } from '../postings/domain/facet.js';
import { VectorCopyRequests } from '../vectors/copies/vector-copy-requests.service.js';
import { IndexStore } from './index.store.js';
import type {
  BestLimits,
  ChunkBatches,
  IndexedFile,
  NewFile,
  RankLimits,
  Ranking,
  SearchFilter,
} from './indexed-text.domain.js';
import { MatchStore } from './match.store.js';
import { NewFilesStore } from './new-files.store.js';
import { PostingsMemory } from './postings-memory.domain.js';
import { RankStore } from './rank.store.js';
import { REMOTE_INDEX, type RemoteIndex } from './remote-index.port.js';
import type { RankedFile } from './skipped-files.domain.js';

@Injectable()
export class TextIndex {
  readonly ranks: RankStore;
  readonly matches: MatchStore;
  private readonly newFiles: NewFilesStore;
  private readonly files: IndexStore;

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
  }

  /** Writes the files that are new, and returns their ids. The other files must be replaced. The files must be distinct. */
  async add(tenantId: string, files: readonly NewFile[]): Promise<ReadonlySet<string>> {
    const { fileIds, unmerged } = await this.newFiles.write(tenantId, files);
    this.afterWrite(tenantId, unmerged);
    return fileIds;
  }

  /**
   * Replaces the index of a file, and returns the count of its chunks. Searches find the old chunks until all new ones are written. When
   * this run has already indexed the file, changes nothing and reads no batch, unless `again`. Throws SUPERSEDED when a later run has
   * indexed the file, or the run is refused.
   */
  async replace(file: IndexedFile, batches: ChunkBatches, again: boolean): Promise<number> {
    const { chunks, unmerged } = await this.files.replace(file, batches, again);
    this.afterWrite(file.tenantId, unmerged);
    return chunks;
  }

  /**
   * Returns the best files or chunks of files that pass the filter and meet the query's phrases and exclusions. Throws BAD_REQUEST for too many
   * phrases and exclusions.
   */
  async rank(tenantId: string, query: string, filter: SearchFilter, limits: RankLimits): Promise<Ranking> {
    const { unmerged, ...ranking } = await this.ranks.rank(tenantId, query, facetsOfFilter(filter), {
      ...limits,
      fileIds: filter.fileIds,
    });
    this.mergeRequests.afterSearch(tenantId, unmerged);
    return ranking;
  }

  /** Returns the best files in order, without their texts. So phrases are not checked, and the files can be many. */
  best(tenantId: string, query: string, filter: SearchFilter, limits: BestLimits): Promise<RankedFile[]> {
    return this.ranks.best(tenantId, query, facetsOfFilter(filter), { ...limits, fileIds: filter.fileIds });
  }

  /** Returns the files that contain all words of the text and pass the filter, as packed ids. Null when too many match. */
  async match(tenantId: string, text: string, filter: SearchFilter): Promise<string | null> {
    const { packed, unmerged } = await this.matches.match(tenantId, text, facetsOfFilter(filter));
    this.mergeRequests.afterSearch(tenantId, unmerged);
    return packed;
  }

  /** Returns the given files that contain all words of the text. */
  matchAmong(tenantId: string, text: string, fileIds: readonly string[]): Promise<string[]> {
    return this.matches.matchAmong(tenantId, text, fileIds);
  }

  private afterWrite(tenantId: string, unmerged: number): void {
    this.mergeRequests.afterWrite(tenantId, unmerged);
    this.vectorCopies.request(tenantId);
  }
}
