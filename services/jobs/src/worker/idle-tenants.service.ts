// Removes tenants without due jobs from the queue of tenants. Their rows are locked meanwhile, and transactions that add jobs wait for the
// locks. So it happens at intervals, and at once only when such tenants are ahead of others.
import type { Logger } from '@kiln/platform';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimStore } from '../claims/claim.store.js';

const INTERVAL_MS = 5_000;
/** If a row was locked or a job was added, the worker waits a random time up to this. */
const BUSY_PAUSE_MS = 20;
const SUSPECTS_MAX = 1_000;

export class IdleTenants {
  private readonly drained = new Set<string>();
  /** Tenants that may have become idle since the last claim that returned them, the latest last. */
  private readonly suspects = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private removing: Promise<void> | null = null;

  constructor(
    private readonly parts: { claims: Pick<ClaimStore, 'removeIdle'>; logger: Logger },
    /** Called afterwards: other tenants may be first now, or one of these may have a due job after all. */
    private readonly onRemoved: () => void,
  ) {}

  add(drained: readonly string[], now: boolean): void {
    for (const tenantId of drained) {
      this.drained.add(tenantId);
      this.suspects.delete(tenantId);
    }
    if (this.drained.size === 0 || this.removing) return;
    if (now) this.remove();
    else this.timer ??= setTimeout(() => this.remove(), INTERVAL_MS);
  }

  /** When the worker stops, it checks these tenants, unless a claim returns them before as drained. */
  suspect(tenantIds: readonly string[]): void {
    for (const tenantId of tenantIds) {
      this.suspects.delete(tenantId);
      this.suspects.add(tenantId);
    }
    for (const oldest of this.suspects) {
      if (this.suspects.size <= SUSPECTS_MAX) break;
      this.suspects.delete(oldest);
    }
  }

  /** Removes the suspects, too, if they have no more jobs: otherwise they would stay until the next claim of a worker. */
  async stop(): Promise<void> {
    await this.removing;
    for (const tenantId of this.suspects) this.drained.add(tenantId);
    if (this.drained.size > 0) this.remove();
    await this.removing;
  }

  private remove(): void {
    this.clearTimer();
    const drained = [...this.drained];
    this.drained.clear();
    this.removing ??= this.removeFromQueue(drained).finally(() => {
      this.removing = null;
      this.onRemoved();
    });
  }

  private async removeFromQueue(drained: string[]): Promise<void> {
    try {
      if (!(await this.parts.claims.removeIdle(drained))) await delay(Math.random() * BUSY_PAUSE_MS);
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'Removing idle tenants failed; the next claim finds them again');
    }
  }

  private clearTimer(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }
}
