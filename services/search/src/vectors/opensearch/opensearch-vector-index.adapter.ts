// The index of vectors in OpenSearch, for installations with more vectors than one PostgreSQL searches.
import { bestOfFiles, byScore } from '../copies/best-of-files.domain.js';
import type { ChangedVectors } from '../copies/changed-vectors.service.js';
import { CopiedVectorIndex, type CopiedVectorIndexOptions } from '../copies/copied-vector-index.adapter.js';
import type { VectorHit, VectorHits, VectorQuery, VectorSet } from '../vector-index.port.js';
import { OpenSearchCopies, type OpenSearchCopy } from './opensearch-copies.store.js';
import type { OpenSearchVectorIndexes } from './opensearch-vector-indexes.adapter.js';
import { CHUNKS_PER_REQUEST_MAX, hitOf, nearestQuery, type FoundVector } from './vector-index-definition.domain.js';

interface OpenSearchVectorIndexOptions extends CopiedVectorIndexOptions {
  indexes: OpenSearchVectorIndexes;
  /** Up to this many vectors that pass the filter are all compared. In a graph of which others have most vectors, too few of them are found. */
  exactMax?: number;
}

const EXACT_MAX = 10_000;

/** All methods throw UNAVAILABLE while OpenSearch does not answer. */
export class OpenSearchVectorIndex extends CopiedVectorIndex<OpenSearchCopy> {
  constructor(private readonly options: OpenSearchVectorIndexOptions) {
    super(new OpenSearchCopies(options.database, options.indexes), options);
  }

  protected override async searchCopy(
    set: VectorSet,
    query: VectorQuery,
    changed: ChangedVectors,
  ): Promise<VectorHits | null> {
    const copy = await this.copies.find(set);
    const { files, vectors: passing } = await this.countPassing(this.options.database, set, query.facets);
    const copied = copy === null ? [] : await this.nearest(set, copy, query, changed, passing);
    // The set became empty, its copy began again, or the index was lost.
    if (copied === null || (await this.copies.find(set))?.number !== copy?.number) return null;
    return { hits: byScore([...copied, ...changed.hits]).slice(0, query.limit), files };
  }

  /** Null when the index was lost. */
  private async nearest(
    { tenantId, dimensions, vectors }: VectorSet,
    { number }: OpenSearchCopy,
    { vector, facets, limit, of }: VectorQuery,
    { fileIds: leftOut }: ChangedVectors,
    passing: number,
  ): Promise<VectorHit[] | null> {
    if (vector.every((value) => value === 0)) return [];
    const index = this.options.indexes.of(dimensions);
    const isExact = passing <= (this.options.exactMax ?? EXACT_MAX);
    const read = async (wanted: number) => {
      const chunks = Math.min(wanted, CHUNKS_PER_REQUEST_MAX);
      const body = nearestQuery(
        { tenantId, number },
        { vector, facets, leftOut, chunks, vectors: isExact ? null : vectors },
      );
      const { hits } = await index.search<FoundVector>(tenantId, body);
      return hits.hits.map((hit) => hitOf(hit));
    };
    try {
      return await (of === 'chunk' ? read(limit) : bestOfFiles(read, limit));
    } catch (error) {
      if (!(await index.wasLost(error))) throw error;
      return null;
    }
  }
}
