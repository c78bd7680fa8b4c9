// Long work is done in parts. While several tenants use this process, it pauses after each part, so that the others get half of the time.

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

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Records a request of the tenant. */
  record(tenantId: string): void {
    if (tenantId !== this.latest.tenantId) this.latestOfOthers = this.latest;
    this.latest = { tenantId, at: this.now() };
  }

  /** Returns the milliseconds to pause after a part that began at `startedAt`. Zero if no other tenant is active. */
  pauseMs(tenantId: string, startedAt: number): number {
    const { at } = this.latest.tenantId === tenantId ? this.latestOfOthers : this.latest;
    const now = this.now();
    return now - at < ACTIVE_MS ? Math.min(PAUSE_MS_MAX, now - startedAt) : 0;
  }
}
