// Where the claims of a worker begin to read. Entries of ended jobs and of former services stay in the indexes while any transaction keeps an old
// snapshot, as a backup does for minutes, and each claim would read all of them again. So a claim begins a little before the first row that the
// last one has found. Rows may appear before that: their transactions took long to commit. So every few seconds a claim begins at the start.

/** A row that appears is at most so much older than those that were claimed, as a rule: it has the time at which its transaction began. */
const LATE_SECONDS = 2;
/** A row that is older is found after this at the latest. */
const KEPT_MS = 5_000;

/** Seconds since 1970. Minus infinity: from the start. */
export interface TenantsFrom {
  joined: number;
  served: number;
}

export const FROM_START: TenantsFrom = { joined: -Infinity, served: -Infinity };

interface PickedTenant {
  served_at: number;
  has_joined: boolean;
}

interface TakenJob {
  tenant_id: string;
  priority: 0 | 1;
  due_at: number;
}

export class ClaimPositions {
  private tenants = FROM_START;
  private readonly dueAt = new Map<string, number>();
  private forgetAt = 0;

  /** `now` returns milliseconds. */
  constructor(
    private readonly now = () => performance.now(),
    private readonly lateSeconds = LATE_SECONDS,
  ) {}

  /** Where the tenants that are due begin: those that have joined, and those that were served. */
  get ofTenants(): TenantsFrom {
    this.forgetOld();
    return this.tenants;
  }

  /** Where the due jobs of the tenant begin. */
  ofJobs(tenantId: string, priority: 0 | 1): number {
    return this.dueAt.get(keyOf(tenantId, priority)) ?? -Infinity;
  }

  /** `picked`: all tenants that a claim has found, which left none out, in their order. */
  onPicked(picked: readonly PickedTenant[]): void {
    const firstOf = (hasJoined: boolean, otherwise: number) => {
      const first = picked.find(({ has_joined }) => has_joined === hasJoined);
      return first ? first.served_at - this.lateSeconds : otherwise;
    };
    const { joined, served } = this.tenants;
    this.tenants = { joined: firstOf(true, joined), served: firstOf(false, served) };
  }

  onTaken(jobs: readonly TakenJob[]): void {
    for (const { tenant_id, priority, due_at } of jobs) {
      const key = keyOf(tenant_id, priority);
      this.dueAt.set(key, Math.max(this.dueAt.get(key) ?? -Infinity, due_at - this.lateSeconds));
    }
  }

  /** The next claim begins at the start. */
  forget(): void {
    this.forgetAt = this.now() + KEPT_MS;
    this.tenants = FROM_START;
    this.dueAt.clear();
  }

  private forgetOld(): void {
    if (this.now() >= this.forgetAt) this.forget();
  }
}

const keyOf = (tenantId: string, priority: 0 | 1) => `${tenantId} ${priority}`;
