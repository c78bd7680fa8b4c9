// Long work is done in parts. While several tenants use this process, it pauses after each part, so that the others get three
// quarters of the time.

import { setTimeout as delay } from 'node:timers/promises';
import { shareOf } from '../bus/shared-places.js';

/** A tenant counts as active for this long after a request. */
const ACTIVE_MS = 1_000;
/** The length of a pause, in lengths of the part before it. */
const PAUSE_PER_PART = 3;
/** A service that answers slowly must not slow the work much further. */
const PAUSE_MS_MAX = 200;

interface Seen {
  /** The tenant's share. */
  readonly share: string | null;
  /** Milliseconds on the monotonic clock. */
  readonly at: number;
}

const NONE: Seen = { share: null, at: -Infinity };

export class TenantPauses {
  private latest = NONE;
  /** The last request of a tenant other than that of `latest`. */
  private latestOfOthers = NONE;

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly wait: (milliseconds: number) => Promise<unknown> = delay,
  ) {}

  /** Records a request of the tenant. */
  record(tenantId: string): void {
    const share = shareOf(tenantId);
    if (share !== this.latest.share) this.latestOfOthers = this.latest;
    this.latest = { share, at: this.now() };
  }

  /**
   * Waits three times as long as a part of the tenant's work took that began at `startedAt`. Does not wait if no other tenant is
   * active. Returns the milliseconds for which it waited.
   */
  async pause(tenantId: string, startedAt: number): Promise<number> {
    const { at } = this.latest.share === shareOf(tenantId) ? this.latestOfOthers : this.latest;
    const now = this.now();
    if (now - at >= ACTIVE_MS) return 0;
    const milliseconds = Math.min(PAUSE_MS_MAX, PAUSE_PER_PART * (now - startedAt));
    await this.wait(milliseconds);
    return milliseconds;
  }
}
