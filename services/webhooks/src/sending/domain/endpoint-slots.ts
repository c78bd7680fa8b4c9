// Concurrency limits per endpoint and per organization. Each endpoint starts with a few concurrent deliveries, gains more by quick responses, and is reduced
// to one while it fails. A delivery that hangs leaves the budget of quick ones after a second and moves to a separate budget. Once that
// is more than half full, endpoints that fail or hang get no new deliveries. An organization, with its live and its test tenant, has at most half
// of the total, whether its deliveries are quick or hang. So endpoints of other tenants are served while the endpoints of fewer than four
// organizations hang on all that they may have.
import { liveTenantOf, testTenantOf } from '@kiln/contracts';

/** What a claim may take. */
export interface ClaimLimits {
  /** Deliveries in all. */
  deliveries: number;
  /** Webhooks that get none now. */
  full: readonly string[];
  /** Webhooks that get only so many. */
  free: ReadonlyMap<string, number>;
  /** For all others: at first, and while failing. */
  slots: { first: number; failing: number };
  /** Whether webhooks that fail get any. */
  withFailing: boolean;
  /** Deliveries under way by organization, which its live tenant stands for, and the most for each. */
  organizations: { running: ReadonlyMap<string, number>; max: number };
}

/** Tenants whose organizations have all they may have, with these deliveries. */
export function fullTenants({ organizations }: ClaimLimits, claimed: readonly { tenant_id: string }[] = []): string[] {
  const counts = new Map(organizations.running);
  for (const { tenant_id: tenantId } of claimed) {
    const organization = liveTenantOf(tenantId);
    counts.set(organization, (counts.get(organization) ?? 0) + 1);
  }
  const full = [...counts].filter(([, count]) => count >= organizations.max);
  return full.flatMap(([organization]) => [organization, testTenantOf(organization)]);
}

export interface EndpointSlotsOptions {
  /** Quick deliveries under way; as many again may hang. */
  total: number;
  /** Deliveries under way to one endpoint. */
  perEndpoint: number;
  /** Milliseconds; only differences count. */
  now?: () => number;
}

interface Endpoint {
  tenantId: string;
  webhookId: string;
  running: number;
  limit: number;
}

/** One delivery under way. */
export interface Running {
  readonly endpoint: Endpoint;
  readonly startedAt: number;
}

const SLOW_MS = 1_000;
const FIRST_LIMIT = 2;
const FAILING_LIMIT = 1;
/** Idle endpoints whose limit is kept. */
const IDLE_KEPT_MAX = 256;

export class EndpointSlots {
  private readonly endpoints = new Map<string, Endpoint>();
  /** In the order in which they began. */
  private readonly running = new Set<Running>();
  private readonly runningOf = new Map<string, number>();
  private readonly now: () => number;

  constructor(private readonly options: EndpointSlotsOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  get runningCount(): number {
    return this.running.size;
  }

  /** `failing`: from the claim, for an endpoint without kept state. */
  begin({ tenantId, webhookId }: Pick<Endpoint, 'tenantId' | 'webhookId'>, failing = false): Running {
    const firstLimit = failing ? FAILING_LIMIT : this.firstLimit;
    const endpoint = this.endpoints.get(webhookId) ?? { tenantId, webhookId, running: 0, limit: firstLimit };
    // Moved to the end: idle endpoints are evicted in the order of their last use.
    if (endpoint.running++ === 0) {
      this.endpoints.delete(webhookId);
      this.endpoints.set(webhookId, endpoint);
    }
    const one = { endpoint, startedAt: this.now() };
    this.running.add(one);
    const organization = liveTenantOf(tenantId);
    this.runningOf.set(organization, (this.runningOf.get(organization) ?? 0) + 1);
    return one;
  }

  /** Whether it was quick is decided here. Ending the same twice changes nothing. */
  end(one: Running, outcome: 'ok' | 'failed'): void {
    if (!this.running.delete(one)) return;
    const { endpoint } = one;
    endpoint.running--;
    const organization = liveTenantOf(endpoint.tenantId);
    const left = (this.runningOf.get(organization) ?? 0) - 1;
    if (left > 0) this.runningOf.set(organization, left);
    else this.runningOf.delete(organization);
    endpoint.limit = this.nextLimit(endpoint.limit, outcome, this.now() - one.startedAt);
    if (this.endpoints.size > IDLE_KEPT_MAX) this.forgetIdle();
  }

  /** The limits of the next claim; null when it may take nothing. */
  limits(): ClaimLimits | null {
    const slow = this.slowRunning();
    const { total } = this.options;
    const deliveries = Math.min(total - (this.running.size - slow.length), 2 * total - this.running.size);
    if (deliveries <= 0) return null;
    const withFailing = slow.length <= Math.floor(total / 2);
    const hanging = new Set(withFailing ? [] : slow.map(({ endpoint }) => endpoint.webhookId));
    const full: string[] = [];
    const free = new Map<string, number>();
    for (const [webhookId, { running, limit }] of this.endpoints) {
      const left = limit - running;
      if (left <= 0 || hanging.has(webhookId)) full.push(webhookId);
      else free.set(webhookId, left);
    }
    const organizations = { running: new Map(this.runningOf), max: Math.max(1, Math.floor(total / 2)) };
    const slots = { first: this.firstLimit, failing: FAILING_LIMIT };
    return { deliveries, full, free, withFailing, organizations, slots };
  }

  private get firstLimit(): number {
    return Math.min(FIRST_LIMIT, this.options.perEndpoint);
  }

  private nextLimit(limit: number, outcome: 'ok' | 'failed', durationMs: number): number {
    if (outcome === 'failed') return FAILING_LIMIT;
    if (durationMs < SLOW_MS) return Math.min(limit * 2, this.options.perEndpoint);
    return Math.max(Math.floor(limit / 2), this.firstLimit);
  }

  private slowRunning(): Running[] {
    const since = this.now() - SLOW_MS;
    const slow: Running[] = [];
    for (const one of this.running) {
      if (one.startedAt > since) break;
      slow.push(one);
    }
    return slow;
  }

  private forgetIdle(): void {
    let surplus = this.endpoints.size - IDLE_KEPT_MAX;
    for (const [webhookId, { running }] of this.endpoints) {
      if (running === 0) {
        this.endpoints.delete(webhookId);
        surplus--;
      }
      if (surplus <= 0) return;
    }
  }
}
