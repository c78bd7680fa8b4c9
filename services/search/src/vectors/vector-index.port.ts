// The port of an index that finds the vectors nearest to a query. PostgreSQL has the vectors; an index is derived from them.

import type { FileVersion } from '../text-index/indexed-text.domain.js';

/** Injection token of the index. */
export const VECTOR_INDEX = Symbol('vector index');

/** Comparable vectors of one tenant, and their counts when a search begins. */
export interface VectorSet {
  readonly tenantId: string;
  readonly model: string;
  readonly dimensions: number;
  readonly files: number;
  readonly vectors: number;
  /** The last change of the tenant's vectors. A search must consider it. */
  readonly generation: number;
}

export interface VectorQuery {
  /** The vector, of length 1. */
  readonly vector: Float32Array;
  /** Only files that have all of these facets are found: see postings/domain/facet.ts. */
  readonly facets: readonly string[];
  readonly limit: number;
  /** `file` finds the best chunk of each file. `chunk` finds the best chunks, possibly several of one file. */
  readonly of: 'file' | 'chunk';
}

/** The version of the file. When the text is read, it shows whether the chunk is still current. */
export interface VectorHit extends FileVersion {
  /** The index of the chunk. */
  readonly index: number;
  /** An approximation of the cosine. */
  readonly score: number;
}

export interface VectorHits {
  /** The best first. */
  readonly hits: VectorHit[];
  /** How many files of the set pass the filter. */
  readonly files: number;
}

export interface VectorIndex {
  /** Finds at least the files that were written before `set` was read. Throws UNAVAILABLE when the index cannot hold the set. */
  search(set: VectorSet, query: VectorQuery): Promise<VectorHits>;
  close(): Promise<void>;
}
