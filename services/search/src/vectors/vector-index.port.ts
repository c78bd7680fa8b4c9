// The port of an index that finds the vectors nearest to a query. PostgreSQL has the vectors; an index is derived from them.

/** What made the vectors of a file. */
export interface Embedding {
  model: string;
  dimensions: number;
}

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

export interface VectorHit {
  readonly fileId: string;
  /** The run that wrote the vectors: shows whether they are still current when the text is read. */
  readonly jobNumber: number;
  readonly fence: number;
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
