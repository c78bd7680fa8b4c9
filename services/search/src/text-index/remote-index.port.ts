// A server that holds the postings of files, in place of the blocks in PostgreSQL: see opensearch-index.adapter.ts.
import type { TextLanguage } from '@kiln/contracts';
import type { Clause } from '../searching/domain/clause.js';
import type { Undecided } from '../searching/domain/clause-filter.js';
import type { ScoredChunk } from '../searching/domain/top-files.js';
import type { WordGroup } from '../matching/word-groups.domain.js';
import type { FileVersion } from './indexed-text.domain.js';

/** Injection token of the index. Its value is null when none is configured. */
export const REMOTE_INDEX = Symbol('remote index');

export interface RemoteFilter {
  tenantId: string;
  facets: readonly string[];
  /** Files that are left out, as if the index did not contain them. */
  leftOut: readonly string[];
}

export interface RemoteRanking extends RemoteFilter {
  /** The only files that are found. Undefined: all. */
  fileIds?: readonly string[] | undefined;
  /** The terms as the index stores them, and the maximum that each adds to the score of a passage. */
  terms: readonly { term: string; weight: number }[];
  averageChunkLength: number;
  averageTitleLength: number;
  clauses: readonly Clause[];
  limit: number;
  /** How many of the best chunks of a file are returned. 0: none is needed. */
  chunksPerFile: number;
  /** How many places of a file are returned for each clause that texts must decide. */
  passagesPerFile: number;
}

export interface RemoteFile {
  version: FileVersion;
  score: number;
  /** The best first. Empty when only the title matches. */
  chunks: readonly ScoredChunk[];
  undecided: Undecided;
}

export interface RemoteRanked {
  /** The best first. */
  files: readonly RemoteFile[];
  /** How many files match, including those beyond the limit. */
  total: number;
}

/** The words of a text in one language. */
export interface RemoteWords {
  language: TextLanguage;
  groups: readonly WordGroup[];
}

export interface RemoteMatch extends RemoteFilter {
  words: readonly RemoteWords[];
  /** Null: all files. */
  among: readonly string[] | null;
}

/** All methods throw UNAVAILABLE while the server does not answer. */
export interface RemoteIndex {
  /** How many passages of the tenant contain each term. Passages of files that were removed recently may still count. */
  frequencies(tenantId: string, terms: readonly string[]): Promise<number[]>;

  /** Returns the best files that pass the filter, and all clauses that postings decide. */
  rank(ranking: RemoteRanking): Promise<RemoteRanked>;

  /** Returns the ids of at most `limit` files that contain all words in one of the languages. */
  match(match: RemoteMatch, limit: number): Promise<string[]>;
}
