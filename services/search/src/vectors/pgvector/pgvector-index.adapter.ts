// The index in PostgreSQL with pgvector, for installations with more vectors than fit into the memory of a process.
import { isUndefinedTable, type Queryable } from '@kiln/platform';
import { bestOfFiles, byScore, type ReadNearest } from '../copies/best-of-files.domain.js';
import type { ChangedVectors } from '../copies/changed-vectors.service.js';
import { CopiedVectorIndex, type CopiedVectorIndexOptions } from '../copies/copied-vector-index.adapter.js';
import type { VectorHit, VectorHits, VectorQuery, VectorSet } from '../vector-index.port.js';
import { searchesOf } from './copied-vectors.statements.js';
import { PgVectorCopies, placeOf, type PgVectorCopy } from './pgvector-copies.store.js';
import { setScan } from './vector-copies.statements.js';

interface PgVectorIndexOptions extends CopiedVectorIndexOptions {
  /** Up to this many vectors that pass the filter, all distances are computed. A set with no more is in no graph. */
  exactMax?: number;
  /** The maximum number of rows that a search reads by the graph, before it computes all distances. */
  scannedMax?: number;
}

const EXACT_MAX = 10_000;
const SCANNED_MAX = 100_000;
const CANDIDATES = { min: 100, max: 1_000 };

/** The size of the candidate list of a scan. In a larger graph, a scan with the same list finds fewer of the nearest vectors. */
const candidatesFor = (vectors: number, chunks: number) =>
  Math.min(CANDIDATES.max, Math.max(CANDIDATES.min, chunks, Math.round(Math.sqrt(vectors) / 2)));

export class PgVectorIndex extends CopiedVectorIndex<PgVectorCopy> {
  declare readonly copies: PgVectorCopies;
  private readonly exactMax: number;

  constructor(private readonly options: PgVectorIndexOptions) {
    const { database, exactMax = EXACT_MAX } = options;
    super(new PgVectorCopies(database, exactMax), options);
    this.exactMax = exactMax;
  }

  /** Searches the copy in one snapshot, since the set can be moved to another table. Null when its table was dropped: the set became empty. */
  protected override async searchCopy(
    set: VectorSet,
    query: VectorQuery,
    changed: ChangedVectors,
  ): Promise<VectorHits | null> {
    const search = (snapshot: Queryable) => this.searchIn(snapshot, set, query, changed);
    try {
      return await this.options.database.transaction(search, { snapshot: true });
    } catch (error) {
      if (isUndefinedTable(error)) return null;
      throw error;
    }
  }

  private async searchIn(snapshot: Queryable, set: VectorSet, query: VectorQuery, changed: ChangedVectors) {
    const copy = await this.copies.find(set, snapshot);
    const { files, vectors } = await this.countPassing(snapshot, set, query.facets);
    const copied = copy === null ? [] : await this.nearest(snapshot, set, copy, query, changed, vectors);
    // A relaxed scan returns rows almost in order.
    return { hits: byScore([...copied, ...changed.hits]).slice(0, query.limit), files };
  }

  private async nearest(
    snapshot: Queryable,
    set: VectorSet,
    copy: PgVectorCopy,
    { vector, facets, limit, of }: VectorQuery,
    { fileIds }: ChangedVectors,
    passing: number,
  ): Promise<VectorHit[]> {
    const { inGraph, exactly } = searchesOf(placeOf(set, copy));
    const values = (chunks: number) => [set.tenantId, set.model, facets, `[${vector.join(',')}]`, chunks, fileIds];
    const readExactly: ReadNearest = (chunks) => snapshot.query<VectorHit>(exactly, values(chunks));
    const readGraph: ReadNearest = async (chunks) => {
      const scan = [candidatesFor(set.vectors, chunks), this.options.scannedMax ?? SCANNED_MAX];
      await snapshot.query(setScan, scan);
      const rows = await snapshot.query<VectorHit>(inGraph, values(chunks));
      return rows.length < Math.min(chunks, passing) ? readExactly(chunks) : rows;
    };
    const read = copy.isIndexed && passing > this.exactMax ? readGraph : readExactly;
    return of === 'chunk' ? read(limit) : bestOfFiles(read, limit);
  }
}
