// Merges the tail of a tenant into its store: the blocks in PostgreSQL, or OpenSearch. While OpenSearch does not answer, files stay in the
// tail, which searches read, and in blocks if the tail becomes long.
import type { Logger } from '@kiln/platform';
import type { Tails } from '../merging/tails.port.js';
import type { MergeStore } from '../merging/merge.store.js';
import type { MoveTailStore, TailFile } from './move-tail.store.js';
import type { MoveCounts } from './remote-index.metrics.js';

/** A longer tail is merged into blocks while OpenSearch does not answer. A search reads so many passages of a tail in about 40 ms. */
const TAIL_MAX = 8_192;

export class TailMerges implements Tails {
  constructor(
    private readonly blocks: Pick<MergeStore, 'mergeTail'>,
    private readonly moves: Pick<
      MoveTailStore,
      'underLease' | 'tailFiles' | 'move' | 'deleteWithheld' | 'tenantsBehind'
    >,
    private readonly metrics: MoveCounts,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** As MergeStore: merges some of the tail if it has at least `threshold` passages. Returns true when there may be more to do. */
  mergeTail(tenantId: string, threshold: number): Promise<boolean> {
    return this.moves.underLease(tenantId, false, async (store) => {
      const deleted = await this.deleteWithheld(tenantId);
      if (store === 'postgres') return (await this.blocks.mergeTail(tenantId, threshold)) || deleted;
      return (await this.moveTail(tenantId, threshold)) || deleted;
    });
  }

  private async moveTail(tenantId: string, threshold: number): Promise<boolean> {
    const files = await this.moves.tailFiles(tenantId);
    if (passagesOf(files) < threshold || files.length === 0) return false;
    try {
      const { moved, unmovable } = await this.moves.move(tenantId, files);
      this.metrics.moved('moved', moved);
      this.metrics.moved('kept', unmovable.length);
      const isMerged = unmovable.length > 0 && (await this.blocks.mergeTail(tenantId, 1, unmovable));
      return moved > 0 || isMerged;
    } catch (error) {
      this.warn(tenantId, error);
      return this.blocks.mergeTail(tenantId, TAIL_MAX);
    }
  }

  tenantsBehind(): Promise<string[]> {
    return this.moves.tenantsBehind();
  }

  /** A failure must not stop merges. The safety poll repeats it. */
  private async deleteWithheld(tenantId: string): Promise<boolean> {
    try {
      return await this.moves.deleteWithheld(tenantId);
    } catch (error) {
      this.warn(tenantId, error);
      return false;
    }
  }

  private warn(tenantId: string, error: unknown): void {
    this.metrics.failed();
    this.logger.warn({ err: error, tenant_id: tenantId }, 'OpenSearch could not take files of a tenant');
  }
}

const passagesOf = (files: readonly TailFile[]) => files.reduce((sum, { passages }) => sum + passages, 0);
