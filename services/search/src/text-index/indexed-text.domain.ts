// What use cases write to the text index, and read from it.
import type { ChunkLine, FileFilter, TextLanguage } from '@kiln/contracts';
import type { Run, RunOrder } from '../indexing/run.domain.js';
import type { RankingWeights } from '../searching/domain/bm25.js';
import type { QueryTerm } from '../searching/domain/search-query.js';
import type { RankedFile, SkippedFiles } from './skipped-files.domain.js';

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
  /** A file must be one of these. */
  fileIds?: readonly string[] | undefined;
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

export interface RankedChunk extends FoundContent, RankedFile {
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
  /** All others are left out, too. */
  fileIds?: readonly string[] | undefined;
}

export type BestLimits = Omit<RankLimits, 'chunksPerFile'>;

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
export interface FileVersion extends RunOrder {
  readonly fileId: string;
}

/** The text of a chunk, and its place in the file. */
export interface ChunkContent {
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

/** The content of a chunk that was found. Its text is empty when the file has no chunks. */
export interface FoundContent extends ChunkContent {
  readonly language: TextLanguage;
}

export interface Chunk extends ChunkContent {
  /** The position of the chunk in its file. */
  readonly index: number;
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
