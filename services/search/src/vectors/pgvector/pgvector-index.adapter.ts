// The index in PostgreSQL: HNSW of pgvector, for installations with more vectors than fit into the memory of a process.
import { beyondCall, type Database, type Logger } from '@kiln/platform';
import { pause } from '@kiln/resilience';
import type { VectorFeed } from '../vector-feed.store.js';
import type { VectorHit, VectorHits, VectorIndex, VectorQuery, VectorSet } from '../vector-index.port.js';
import { PgVectorCopy } from './pgvector-copy.adapter.js';
import { countPassing, DIMENSIONS_MAX, setScan, statementsOf } from './pgvector.statements.js';

export interface PgVectorIndexOptions {
  database: Pick<Database, 'query' | 'transaction'>;
  feed: Pick<VectorFeed, 'changes'>;
  /** Answers while vectors are still being copied, and for vectors that are too long for an index. */
  meanwhile: VectorIndex;
  /** How long a search waits for the copy. */
  patienceMs?: number;
  /** Up to this many vectors, all distances are computed. An index of all tenants would skip too many vectors of other tenants. */
  exactMax?: number;
  logger: Pick<Logger, 'warn'>;
}

const PATIENCE_MS = 1_500;
const EXACT_MAX = 10_000;
/** Several of the best chunks can belong to one file. */
const CHUNKS_PER_FILE = 4;
const GROWTH = 4;
const CHUNKS_MAX = 4_000;
const CANDIDATES = { min: 100, max: 1_000 };

type Row = VectorHit & Record<string, unknown>;

export class PgVectorIndex implements VectorIndex {
  private readonly copy: PgVectorCopy;
  /** Copies that are being updated, by set. */
  private readonly updating = new Map<string, Promise<boolean>>();

  constructor(private readonly options: PgVectorIndexOptions) {
    this.copy = new PgVectorCopy(options.database, options.feed);
  }

  async search(set: VectorSet, query: VectorQuery): Promise<VectorHits> {
    if (set.dimensions > DIMENSIONS_MAX || !(await this.isUpToDate(set))) {
      return this.options.meanwhile.search(set, query);
    }
    const passing = await this.countPassing(set, query.facets);
    const hits = await this.nearest(set, query, passing.vectors);
    return { hits, files: passing.files };
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.updating.values());
    await this.options.meanwhile.close();
  }

  /** Updates the copy, in the background if it takes long. */
  private async isUpToDate(set: VectorSet): Promise<boolean> {
    const key = JSON.stringify([set.tenantId, set.model, set.dimensions, set.generation]);
    let update = this.updating.get(key);
    if (!update) {
      update = beyondCall(set.tenantId, () => this.copy.update(set)).then(
        () => true,
        (error: unknown) => {
          this.options.logger.warn({ err: error, tenantId: set.tenantId }, 'Copying vectors for pgvector failed');
          return false;
        },
      );
      this.updating.set(key, update);
      void update.finally(() => this.updating.delete(key));
    }
    const stop = new AbortController();
    const tooLong = pause(this.options.patienceMs ?? PATIENCE_MS, stop.signal).then(
      () => false,
      () => false,
    );
    const isDone = await Promise.race([update, tooLong]);
    stop.abort();
    return isDone;
  }

  private async countPassing({ tenantId, model, dimensions, files, vectors }: VectorSet, facets: readonly string[]) {
    if (facets.length === 0) return { files, vectors };
    const values = [tenantId, model, dimensions, facets];
    const [counts] = await this.options.database.query<{ files: number; vectors: number }>(countPassing, values);
    return counts ?? { files: 0, vectors: 0 };
  }

  private async nearest(set: VectorSet, { vector, facets, limit, of }: VectorQuery, vectors: number) {
    const { nearest, nearestExactly } = statementsOf(set.dimensions);
    const read = (chunks: number): Promise<Row[]> => {
      const values = [set.tenantId, set.model, facets, `[${vector.join(',')}]`, chunks];
      if (vectors <= (this.options.exactMax ?? EXACT_MAX))
        return this.options.database.query<Row>(nearestExactly, values);
      return this.options.database.transaction(async (transaction) => {
        await transaction.query(setScan, [Math.min(CANDIDATES.max, Math.max(CANDIDATES.min, chunks))]);
        return transaction.query<Row>(nearest, values);
      });
    };
    if (of === 'chunk') return byScore(await read(limit));
    for (let chunks = limit * CHUNKS_PER_FILE; ; chunks *= GROWTH) {
      const rows = byScore(await read(chunks));
      const best = [...new Map(rows.toReversed().map((row) => [row.fileId, row])).values()];
      if (best.length >= limit || rows.length < chunks || chunks >= CHUNKS_MAX) return byScore(best).slice(0, limit);
    }
  }
}

/** A relaxed scan returns rows almost in order. */
const byScore = (rows: readonly Row[]): Row[] => rows.toSorted((left, right) => right.score - left.score);
