// An index that searches copies of vectors, and compares what a copy lacks one by one.
import type { Database, Logger, Queryable } from '@kiln/platform';
import { pause } from '@kiln/resilience';
import type { VectorFeed } from '../vector-feed.store.js';
import type { VectorHits, VectorIndex, VectorQuery, VectorSet } from '../vector-index.port.js';
import { scanChanges, type ChangedVectors } from './changed-vectors.service.js';
import { countPassing } from './copy-rows.statements.js';
import type { Copy, VectorCopies } from './vector-copies.port.js';
import { VectorCopyWriter } from './vector-copy-writer.service.js';

export interface CopiedVectorIndexOptions {
  database: Pick<Database, 'query' | 'transaction' | 'dedicatedClient'>;
  feed: Pick<VectorFeed, 'changes'>;
  /** Answers while many vectors are still being copied, and for vectors that are too long for a copy. */
  meanwhile: VectorIndex;
  /** How long a search waits for a copy that lacks many changes. */
  patienceMs?: number;
  logger: Pick<Logger, 'warn'>;
}

const PATIENCE_MS = 1_500;
const NOTHING: ChangedVectors = { fileIds: [], hits: [] };

export abstract class CopiedVectorIndex<OneCopy extends Copy = Copy> implements VectorIndex {
  readonly writer: VectorCopyWriter<OneCopy>;

  constructor(
    readonly copies: VectorCopies<OneCopy>,
    private readonly parts: CopiedVectorIndexOptions,
  ) {
    this.writer = new VectorCopyWriter(copies, parts.feed, parts.logger);
  }

  async search(set: VectorSet, query: VectorQuery): Promise<VectorHits> {
    const { meanwhile } = this.parts;
    if (set.dimensions > this.copies.dimensionsMax) return meanwhile.search(set, query);
    const changed = await this.missingIn(set, query);
    const found = changed && (await this.searchCopy(set, query, changed));
    return found ?? meanwhile.search(set, query);
  }

  async close(): Promise<void> {
    await this.writer.close();
    await this.parts.meanwhile.close();
  }

  /** Searches the copy without the files of `changed`, and adds its hits. Null when the copy was lost. */
  protected abstract searchCopy(
    set: VectorSet,
    query: VectorQuery,
    changed: ChangedVectors,
  ): Promise<VectorHits | null>;

  /** How many files and vectors pass the filter. */
  protected async countPassing(
    database: Queryable,
    { tenantId, model, dimensions, files, vectors }: VectorSet,
    facets: readonly string[],
  ): Promise<{ files: number; vectors: number }> {
    if (facets.length === 0) return { files, vectors };
    const values = [tenantId, model, dimensions, facets];
    const [counts] = await database.query<{ files: number; vectors: number }>(countPassing, values);
    return counts ?? { files: 0, vectors: 0 };
  }

  /** What the copy lacks. Null when it lacks too much, also after some time. */
  private async missingIn(set: VectorSet, query: VectorQuery): Promise<ChangedVectors | null> {
    const { feed, patienceMs = PATIENCE_MS } = this.parts;
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
}
