// The port of the index that finds files by their words. Use cases write and search the index, and know nothing of its storage. Its one
// implementation is in PostgreSQL: see postgres-text-index.adapter.ts.
import type { ChunkLine, FileFilter, TextLanguage } from '@kiln/contracts';
import type { Queryable } from '@kiln/platform';
import type { Run, RunOrder } from '../indexing/run.domain.js';
import type { RankingWeights } from '../searching/domain/bm25.js';
import type { QueryTerm } from '../searching/domain/search-query.js';
import type { RankedFile, SkippedFiles } from './skipped-files.domain.js';

/** Injection token of the index. */
export const TEXT_INDEX = Symbol('text index');

/** The properties that searches can filter by. */
export interface FileProperties {
  space: string;
  contentType: string | null;
  metadata: Readonly<Record<string, string>>;
}

export interface SearchFilter {
  space?: string | undefined;
  contentType?: string | undefined;
  /** A file must have all of these. */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** The files service applies it. */
  where?: FileFilter | undefined;
}

/** The model and length of a file's vectors. */
export interface Embedding {
  model: string;
  dimensions: number;
}

export interface IndexedFile extends FileProperties {
  tenantId: string;
  fileId: string;
  run: Run;
  filename: string;
  title: string | null;
  /** The language in which the text is analyzed. */
  language: TextLanguage;
  /** The embedding of the chunks' vectors, which are written with the chunks. Null without vectors. */
  embedding: Embedding | null;
}

export interface NewFile {
  file: IndexedFile;
  chunks: readonly ChunkLine[];
}

/** All chunks of a file, in order. */
export type ChunkBatches = Iterable<ChunkLine[]> | AsyncIterable<ChunkLine[]>;

export interface RankedChunk extends ChunkText, RankedFile {
  /** From 0 to 1: a share of the highest possible score for the query. */
  score: number;
  /** The index of the chunk. 0 when only the title matches. */
  chunk: number;
}

export interface RankLimits {
  /** The maximum number of results. */
  limit: number;
  /** The maximum number of chunks of one file. Default 1. */
  chunksPerFile?: number | undefined;
  /** Files that are left out, as if the index did not contain them. */
  skipped?: SkippedFiles | undefined;
}

export type BestLimits = Pick<RankLimits, 'limit' | 'skipped'>;

export interface Ranking {
  /** The best first. By default the best chunk of each file. */
  files: RankedChunk[];
  /** How many files match, including those beyond the limit, and those whose texts could not be checked for phrases. */
  total: number;
  /** The terms that rank, in the languages of the tenant's files. */
  terms: readonly QueryTerm[];
  /** How much each term can add to a score, and how many passages have it. */
  weights: Pick<RankingWeights, 'terms' | 'frequencies' | 'passages'>;
}

/** A version of a file, as one run wrote it. */
export interface FileVersion {
  readonly fileId: string;
  readonly jobNumber: number;
  readonly fence: number;
}

export interface ChunkText {
  /** Empty when the file has no chunks. */
  readonly body: string;
  readonly language: TextLanguage;
  /** Offsets in the text of the file, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  /** The headings above the chunk, the outermost first. */
  readonly headings: readonly string[];
  /** Where the text stands on its pages: see regions.domain.ts. Empty when that is not known. */
  readonly lines: readonly number[];
}

export interface Chunk {
  /** The position of the chunk in its file. */
  readonly index: number;
  readonly text: string;
  /** Offsets in the text of the file, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  /** The headings above the chunk, the outermost first. */
  readonly headings: readonly string[];
  /** Where the text stands on its pages: see regions.domain.ts. Empty when that is not known. */
  readonly lines: readonly number[];
}

/** Chunks of a file in order and without a gap. */
export interface ConsecutiveChunks {
  readonly fileId: string;
  readonly language: TextLanguage;
  readonly filename: string;
  /** Title and filename. */
  readonly title: string;
  readonly chunks: readonly Chunk[];
}

export interface TextIndex {
  /** Writes the files that are new, and returns their ids. The other files must be replaced. The files must be distinct. */
  add(tenantId: string, files: readonly NewFile[]): Promise<ReadonlySet<string>>;

  /**
   * Replaces the index of a file, and returns the count of its chunks. Searches find the old chunks until all new ones are written. When
   * this run has already indexed the file, changes nothing and reads no batch, unless `again`. Throws SUPERSEDED when a later run has
   * indexed the file, or the run is refused.
   */
  replace(file: IndexedFile, batches: ChunkBatches, again: boolean): Promise<number>;

  /** Empties the index of a file, unless a later run has indexed it. Then earlier runs are refused. Idempotent. */
  clear(tenantId: string, fileId: string, run: RunOrder): Promise<void>;

  /** Removes the file soon after `transaction` commits. Later writes of the file are refused. */
  remove(transaction: Queryable, tenantId: string, fileId: string): Promise<void>;

  /**
   * Returns the best files or chunks of files that pass the filter and meet the query's phrases and exclusions. Throws BAD_REQUEST for too many
   * phrases and exclusions.
   */
  rank(tenantId: string, query: string, filter: SearchFilter, limits: RankLimits): Promise<Ranking>;

  /** Returns the best files in order, without their texts. So phrases are not checked, and the files can be many. */
  best(tenantId: string, query: string, filter: SearchFilter, limits: BestLimits): Promise<RankedFile[]>;

  /** Returns the files that contain all words of the text and pass the filter, as packed ids. Null when too many match. */
  match(tenantId: string, text: string, filter: SearchFilter): Promise<string | null>;

  /** Returns the given files that contain all words of the text. */
  matchAmong(tenantId: string, text: string, fileIds: readonly string[]): Promise<string[]>;

  /** Returns the texts of chunks. Null where the version is not the file's current one. */
  readTexts(tenantId: string, chunks: readonly (FileVersion & { index: number })[]): Promise<(ChunkText | null)[]>;

  /** Returns the chunks of a file whose index is above `after`, in order. */
  readChunks(tenantId: string, fileId: string, page: { after: number; limit: number }): Promise<Chunk[]>;

  /** Returns the given chunks, and the chunks around them in their files. */
  readAround(tenantId: string, chunks: readonly { fileId: string; index: number }[]): Promise<ConsecutiveChunks[]>;
}
