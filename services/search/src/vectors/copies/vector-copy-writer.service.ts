// Brings copies up to date, one batch of changes after the other. A process that stops leaves a copy that the next one continues.
import { beyondCall, type Logger } from '@kiln/platform';
import { randomUUID } from 'node:crypto';
import type { VectorFeed } from '../vector-feed.store.js';
import type { VectorSet } from '../vector-index.port.js';
import { combined } from './combined-changes.domain.js';
import { CopyLostError, type Copy, type VectorCopies } from './vector-copies.port.js';

/** `behind`: after `batchesMax` batches there are more. `elsewhere`: another process writes the copy, or has become its writer. */
type CopyState = 'current' | 'behind' | 'elsewhere' | 'failed';

export class VectorCopyWriter<OneCopy extends Copy = Copy> {
  /** The copies that this process updates, by set. */
  private readonly updates = new Map<string, Promise<CopyState>>();

  constructor(
    private readonly copies: VectorCopies<OneCopy>,
    private readonly feed: Pick<VectorFeed, 'changes'>,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Takes over changes that the copy lacks. Callers at the same time share one update, which may have begun before a change. */
  update(set: VectorSet, batchesMax = Infinity): Promise<CopyState> {
    const key = JSON.stringify([set.tenantId, set.model, set.dimensions]);
    const running = this.updates.get(key);
    if (running) return running;
    const update = beyondCall(set.tenantId, () => this.takeOver(set, batchesMax)).catch((error: unknown) => {
      if (error instanceof CopyLostError) return 'elsewhere' as const;
      this.logger.warn({ err: error, tenantId: set.tenantId }, 'Copying vectors failed');
      return 'failed' as const;
    });
    this.updates.set(key, update);
    void update.finally(() => this.updates.delete(key));
    return update;
  }

  async close(): Promise<void> {
    await this.copies.close();
    await Promise.allSettled(this.updates.values());
  }

  private async takeOver(set: VectorSet, batchesMax: number): Promise<CopyState> {
    const writer = randomUUID();
    const claimed = await this.copies.claim(set, writer);
    if (claimed === null) return 'elsewhere';
    try {
      return await this.write(set, claimed, writer, batchesMax);
    } finally {
      await this.copies.release(set, writer);
    }
  }

  private async write(set: VectorSet, claimed: OneCopy, writer: string, batchesMax: number): Promise<CopyState> {
    if (set.files === 0) {
      await this.copies.remove(set, claimed, writer);
      return 'current';
    }
    let copy = await this.copies.prepare(set, claimed, writer);
    let batches = 0;
    for await (const changes of combined(this.feed.changes(set, claimed.generation))) {
      copy = await this.copies.apply(set, copy, writer, changes);
      // A generation that is not complete would be read from its beginning again.
      if (++batches >= batchesMax && changes.generation > claimed.generation) return 'behind';
    }
    await this.copies.complete(set, copy, writer);
    return 'current';
  }
}
