// Long work is done in parts. While several tenants use this process, it pauses after each part, so that the others get half of the time.

import { setTimeout as delay } from 'node:timers/promises';

/** A tenant counts as active for this long after a request. */
const ACTIVE_MS = 1_000;
/** A service that answers slowly must not slow the work much further. */
const PAUSE_MS_MAX = 200;

interface Seen {
  readonly tenantId: string | null;
  /** Milliseconds on the monotonic clock. */
  readonly at: number;
}

const NONE: Seen = { tenantId: null, at: -Infinity };

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
    if (tenantId !== this.latest.tenantId) this.latestOfOthers = this.latest;
    this.latest = { tenantId, at: this.now() };
  }

  /** Waits for as long as a part of the tenant's work took that began at `startedAt`. Returns at once if no other tenant is active. */
  async pause(tenantId: string, startedAt: number): Promise<void> {
    const { at } = this.latest.tenantId === tenantId ? this.latestOfOthers : this.latest;
    const now = this.now();
    if (now - at < ACTIVE_MS) await this.wait(Math.min(PAUSE_MS_MAX, now - startedAt));
  }
}
