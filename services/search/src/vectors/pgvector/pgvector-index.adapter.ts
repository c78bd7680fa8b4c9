// The index in PostgreSQL with pgvector, for installations with more vectors than fit into the memory of a process.
import { isUndefinedTable, type Database, type Logger, type Queryable } from '@kiln/platform';
import { pause } from '@kiln/resilience';
import type { VectorFeed } from '../vector-feed.store.js';
import type { VectorHit, VectorHits, VectorIndex, VectorQuery, VectorSet } from '../vector-index.port.js';
import { scanChanges, type ChangedVectors } from './changed-vectors.service.js';
import { DIMENSIONS_MAX, searchesOf } from './copied-vectors.statements.js';
import { PgVectorCopies, placeOf, type Copy } from './pgvector-copies.store.js';
import { countPassing, setScan } from './vector-copies.statements.js';
import { VectorCopyWriter } from './vector-copy-writer.service.js';

interface PgVectorIndexOptions {
  database: Pick<Database, 'query' | 'transaction' | 'dedicatedClient'>;
  feed: Pick<VectorFeed, 'changes'>;
  /** Answers while many vectors are still being copied, and for vectors that are too long for an index. */
  meanwhile: VectorIndex;
  /** How long a search waits for a copy that lacks many changes. */
  patienceMs?: number;
  /** Up to this many vectors that pass the filter, all distances are computed. A set with no more is in no graph. */
  exactMax?: number;
  /** The maximum number of rows that a search reads by the graph, before it computes all distances. */
  scannedMax?: number;
  logger: Pick<Logger, 'warn'>;
}

const PATIENCE_MS = 1_500;
const EXACT_MAX = 10_000;
const SCANNED_MAX = 100_000;
/** Several of the best chunks can belong to one file. */
const CHUNKS_PER_FILE = 4;
const GROWTH = 4;
const CHUNKS_MAX = 4_000;
const CANDIDATES = { min: 100, max: 1_000 };

/** The size of the candidate list of a scan. In a larger graph, a scan with the same list finds fewer of the nearest vectors. */
const candidatesFor = (vectors: number, chunks: number) =>
  Math.min(CANDIDATES.max, Math.max(CANDIDATES.min, chunks, Math.round(Math.sqrt(vectors) / 2)));

/** How to find the nearest chunks of a copy. */
type Read = (chunks: number) => Promise<VectorHit[]>;

const NOTHING: ChangedVectors = { fileIds: [], hits: [] };

export class PgVectorIndex implements VectorIndex {
  readonly copies: PgVectorCopies;
  readonly writer: VectorCopyWriter;
  private readonly exactMax: number;

  constructor(private readonly options: PgVectorIndexOptions) {
    const { database, feed, exactMax = EXACT_MAX, logger } = options;
    this.exactMax = exactMax;
    this.copies = new PgVectorCopies(database);
    this.writer = new VectorCopyWriter(this.copies, feed, exactMax, logger);
  }

  async search(set: VectorSet, query: VectorQuery): Promise<VectorHits> {
    const { meanwhile } = this.options;
    if (set.dimensions > DIMENSIONS_MAX) return meanwhile.search(set, query);
    const changed = await this.missingIn(set, query);
    const found = changed && (await this.searchCopy(set, query, changed));
    return found ?? meanwhile.search(set, query);
  }

  async close(): Promise<void> {
    await this.writer.close();
    await this.options.meanwhile.close();
  }

  /** What the copy lacks. Null when it lacks too much, also after some time. */
  private async missingIn(set: VectorSet, query: VectorQuery): Promise<ChangedVectors | null> {
    const { feed, patienceMs = PATIENCE_MS } = this.options;
    const generation = await this.generationOf(set);
    if (generation >= set.generation) return NOTHING;
    const update = this.writer.update(set);
    const changed = await scanChanges(feed.changes(set, generation), set.dimensions, query);
    if (changed) return changed;
    const stop = new AbortController();
    await Promise.race([update, pause(patienceMs, stop.signal).catch(() => undefined)]);
    stop.abort();
    return scanChanges(feed.changes(set, await this.generationOf(set)), set.dimensions, query);
  }

  private async generationOf(set: VectorSet): Promise<number> {
    return (await this.copies.find(set))?.generation ?? 0;
  }

  /** Searches the copy in one snapshot, since the set can be moved to another table. Null when its table was dropped: the set became empty. */
  private async searchCopy(set: VectorSet, query: VectorQuery, changed: ChangedVectors): Promise<VectorHits | null> {
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
    return { hits: byScore([...copied, ...changed.hits]).slice(0, query.limit), files };
  }

  private async countPassing(
    snapshot: Queryable,
    { tenantId, model, dimensions, files, vectors }: VectorSet,
    facets: readonly string[],
  ) {
    if (facets.length === 0) return { files, vectors };
    const values = [tenantId, model, dimensions, facets];
    const [counts] = await snapshot.query<{ files: number; vectors: number }>(countPassing, values);
    return counts ?? { files: 0, vectors: 0 };
  }

  private async nearest(
    snapshot: Queryable,
    set: VectorSet,
    copy: Copy,
    { vector, facets, limit, of }: VectorQuery,
    { fileIds }: ChangedVectors,
    passing: number,
  ): Promise<VectorHit[]> {
    const { inGraph, exactly } = searchesOf(placeOf(set, copy));
    const values = (chunks: number) => [set.tenantId, set.model, facets, `[${vector.join(',')}]`, chunks, fileIds];
    const readExactly: Read = (chunks) => snapshot.query<VectorHit>(exactly, values(chunks));
    const readGraph: Read = async (chunks) => {
      const scan = [candidatesFor(set.vectors, chunks), this.options.scannedMax ?? SCANNED_MAX];
      await snapshot.query(setScan, scan);
      const rows = await snapshot.query<VectorHit>(inGraph, values(chunks));
      return rows.length < Math.min(chunks, passing) ? readExactly(chunks) : rows;
    };
    const read = copy.isIndexed && passing > this.exactMax ? readGraph : readExactly;
    return of === 'chunk' ? read(limit) : bestOfFiles(read, limit);
  }
}

/** The best chunk of each file. */
async function bestOfFiles(read: Read, limit: number): Promise<VectorHit[]> {
  for (let chunks = limit * CHUNKS_PER_FILE; ; chunks *= GROWTH) {
    const rows = byScore(await read(chunks));
    const best = [...new Map(rows.toReversed().map((row) => [row.fileId, row])).values()];
    if (best.length >= limit || rows.length < chunks || chunks >= CHUNKS_MAX) return byScore(best).slice(0, limit);
  }
}

/** A relaxed scan returns rows almost in order. */
const byScore = (rows: readonly VectorHit[]): VectorHit[] => rows.toSorted((left, right) => right.score - left.score);
