// Brings copies up to date, one batch of changes after the other. A process that stops leaves a copy that the next one continues.
import { beyondCall, type Logger } from '@kiln/platform';
import { randomUUID } from 'node:crypto';
import type { VectorFeed } from '../vector-feed.store.js';
import type { VectorSet } from '../vector-index.port.js';
import { CopyLostError, type Copy, type PgVectorCopies } from './pgvector-copies.store.js';

/** `behind`: after `batchesMax` batches there are more. `elsewhere`: another process writes the copy, or has become its writer. */
export type CopyState = 'current' | 'behind' | 'elsewhere' | 'failed';

export interface CopyWriterParts {
  copies: PgVectorCopies;
  feed: Pick<VectorFeed, 'changes'>;
  /** A set with more vectors has its own table and graph. */
  smallMax: number;
  logger: Pick<Logger, 'warn'>;
}

export class VectorCopyWriter {
  /** The copies that this process updates, by set. */
  private readonly updates = new Map<string, Promise<CopyState>>();

  constructor(private readonly parts: CopyWriterParts) {}

  /** Takes over changes that the copy lacks. Callers at the same time share one update, which may have begun before a change. */
  update(set: VectorSet, batchesMax = Infinity): Promise<CopyState> {
    const key = JSON.stringify([set.tenantId, set.model, set.dimensions]);
    const running = this.updates.get(key);
    if (running) return running;
    const update = beyondCall(set.tenantId, () => this.takeOver(set, batchesMax)).catch((error: unknown) => {
      if (error instanceof CopyLostError) return 'elsewhere' as const;
      this.parts.logger.warn({ err: error, tenantId: set.tenantId }, 'Copying vectors for pgvector failed');
      return 'failed' as const;
    });
    this.updates.set(key, update);
    void update.finally(() => this.updates.delete(key));
    return update;
  }

  async close(): Promise<void> {
    await this.parts.copies.close();
    await Promise.allSettled(this.updates.values());
  }

  private async takeOver(set: VectorSet, batchesMax: number): Promise<CopyState> {
    const { copies } = this.parts;
    const writer = randomUUID();
    const claimed = await copies.claim(set, writer);
    if (claimed === null) return 'elsewhere';
    try {
      return await this.write(set, claimed, writer, batchesMax);
    } finally {
      await copies.release(set, writer);
    }
  }

  private async write(set: VectorSet, claimed: Copy, writer: string, batchesMax: number): Promise<CopyState> {
    const { copies, feed, smallMax } = this.parts;
    if (set.files === 0) {
      await copies.remove(set, claimed, writer);
      return 'current';
    }
    const isTooLarge = set.vectors > smallMax && !claimed.isLarge;
    const copy = isTooLarge ? await copies.enlarge(set, claimed, writer) : claimed;
    let batches = 0;
    for await (const changes of feed.changes(set, copy.generation)) {
      await copies.apply(set, copy, writer, changes);
      // A generation that is not complete would be read from its beginning again.
      if (++batches >= batchesMax && changes.generation > copy.generation) return 'behind';
    }
    if (copy.isLarge && !copy.isIndexed) await copies.index(set, copy, writer);
    return 'current';
  }
}
