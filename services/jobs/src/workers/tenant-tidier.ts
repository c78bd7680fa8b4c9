// Puts tenants away that had no more jobs when they were asked. That locks their places in the queue, which whoever adds a job
// then waits for: so it is done now and then, and at once only where they stand in the way of others.
import type { Logger } from '@kiln/platform';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimStore } from '../store/claim.store.js';

const INTERVAL_MS = 100;
/** Somebody is at one of them, or adds a job to it: a random time up to this. */
const BUSY_PAUSE_MS = 20;

export class TenantTidier {
  private readonly drained = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private tidying: Promise<void> | null = null;

  constructor(
    private readonly parts: { claims: Pick<ClaimStore, 'settle'>; logger: Logger },
    /** Others have come to the front, or one of them has a job after all. */
    private readonly onTidied: () => void,
  ) {}

  add(drained: readonly string[], now: boolean): void {
    for (const tenantId of drained) this.drained.add(tenantId);
    if (this.drained.size === 0 || this.tidying) return;
    if (now) this.tidy();
    else this.timer ??= setTimeout(() => this.tidy(), INTERVAL_MS);
  }

  /** Puts away whom it knows of: nobody else does until a claim has asked them again. */
  async stop(): Promise<void> {
    await this.tidying;
    if (this.drained.size > 0) this.tidy();
    await this.tidying;
  }

  private tidy(): void {
    this.clearTimer();
    const drained = [...this.drained];
    this.drained.clear();
    this.tidying ??= this.putAway(drained).finally(() => {
      this.tidying = null;
      this.onTidied();
    });
  }

  private async putAway(drained: string[]): Promise<void> {
    try {
      if (!(await this.parts.claims.settle(drained))) await delay(Math.random() * BUSY_PAUSE_MS);
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'tenants without jobs not put away; the next claim finds them again');
    }
  }

  private clearTimer(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }
}
