// Concurrency limits per endpoint and per organization. Each endpoint starts with a few concurrent deliveries, gains more by quick
// responses, and is reduced to one while it fails. A delivery that hangs leaves the budget of quick ones after a second and moves to a
// separate budget. Once that budget is more than half full, endpoints that fail or hang get no new deliveries. An organization, with its
// live and its test tenant, has at most half of the total, whether its deliveries are quick or hang. So endpoints of other tenants are
// served while the endpoints of up to three organizations hang on all their deliveries.
import { liveTenantOf, testTenantOf } from '@kiln/contracts';

/** The limits of a claim. */
export interface ClaimLimits {
  /** The maximum number of deliveries. */
  deliveries: number;
  /** Webhooks that get no deliveries now. */
  full: readonly string[];
  /** Webhooks with a limit of their own, and the limit. */
  free: ReadonlyMap<string, number>;
  /** The limits for all other webhooks: at first, and while they fail. */
  slots: { first: number; failing: number };
  /** Whether failing webhooks get deliveries. */
  withFailing: boolean;
  /** Deliveries under way by organization (the id of its live tenant), and the maximum for each organization. */
  organizations: { running: ReadonlyMap<string, number>; max: number };
}

/** Tenants whose organizations have reached their maximum, counting these deliveries. */
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
  /** The maximum number of quick deliveries under way. As many again may hang. */
  total: number;
  /** The maximum number of deliveries under way to one endpoint. */
  perEndpoint: number;
  /** A clock in milliseconds. Only differences count. */
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
  /** The running deliveries in the order in which they began. */
  private readonly running = new Set<Running>();
  private readonly runningOf = new Map<string, number>();
  private readonly now: () => number;

  constructor(private readonly options: EndpointSlotsOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  get runningCount(): number {
    return this.running.size;
  }

  /** `failing` comes from the claim. It counts for an endpoint without kept state. */
  begin({ tenantId, webhookId }: Pick<Endpoint, 'tenantId' | 'webhookId'>, failing = false): Running {
    const firstLimit = failing ? FAILING_LIMIT : this.firstLimit;
    const endpoint = this.endpoints.get(webhookId) ?? { tenantId, webhookId, running: 0, limit: firstLimit };
    // The endpoint moves to the end: idle endpoints are evicted in the order of their last use.
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

  /** Decides whether the delivery was quick. A second call for the same delivery changes nothing. */
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

  /** The limits of the next claim. Null when nothing may be claimed. */
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
