// The port of an index that finds the vectors nearest to a query. PostgreSQL has the vectors; an index is derived from them.

import type { FileVersion } from '../text-index/text-index.port.js';

/** Vectors of one tenant that are comparable, and what is known about them when a search begins. */
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
  /** Of length 1. */
  readonly vector: Float32Array;
  /** Only files that have all of these are found: see postings/domain/facet.ts. */
  readonly facets: readonly string[];
  readonly limit: number;
  /** `file`: the best chunk of each file. `chunk`: the best chunks, of one file possibly several. */
  readonly of: 'file' | 'chunk';
}

/** The version whose chunk it is shows whether it is still the current one when its text is read. */
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
  /** Finds files that were written before `set` was read, at least. Throws UNAVAILABLE when the index cannot hold the set. */
  search(set: VectorSet, query: VectorQuery): Promise<VectorHits>;
  close(): Promise<void>;
}
