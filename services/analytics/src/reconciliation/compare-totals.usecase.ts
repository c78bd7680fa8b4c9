// Compares the totals of all tenants with the counts of the files and jobs services. Events take a moment to arrive, so a tenant that
// differs is compared again. If its counts have changed by then, it is busy and waits for the next pass. Otherwise events were lost.
import { filesOperations, jobsOperations, internalContext, type CallContext } from '@kiln/contracts';
import type { Logger, RpcClient } from '@kiln/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDrift, isEqual, noDrift, type Counts } from './drift.domain.js';
import type { ClaimedPass, ReconciliationStore } from './reconciliation.store.js';

export interface CompareTotalsParts {
  store: ReconciliationStore;
  rpc: Pick<RpcClient, 'call'>;
  logger: Logger;
  isStopping: () => boolean;
  intervalSeconds: number;
  /** Default 100,000. */
  tenantsMax?: number;
  /** Default 1,000. */
  tenantsPerPage?: number;
  /** How long an event may take to arrive. */
  arrivalMs?: number;
  /** Default 20. */
  leaseSeconds?: number;
}

/** The number of tenants in a pass. The next pass continues after them. */
const TENANTS_MAX = 100_000;
/** Tenants that share one wait for their events. */
const TENANTS_PER_PAGE = 1_000;
const TENANTS_AT_ONCE = 4;
/** Failures after which a pass ends: another service is away. */
const FAILED_MAX = 100;
const CALL_TIMEOUT_MS = 30_000;
const ARRIVAL_MS = 10_000;
const STOP_CHECK_MS = 200;
/** The lease is renewed four times as often, so that another process continues soon after one has died. */
const LEASE_SECONDS = 20;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

interface Pass {
  drift: Counts;
  compared: number;
  failed: number;
  isLost: boolean;
}

export class CompareTotals {
  constructor(private readonly parts: CompareTotalsParts) {}

  /** Runs one pass, which begins where the last one stopped. Returns false if no pass is due, or the lease is lost. */
  async round(): Promise<boolean> {
    const { store, isStopping, intervalSeconds } = this.parts;
    const claimed = await store.claimPass(this.leaseSeconds);
    if (claimed === null) return false;
    const pass: Pass = { drift: noDrift(), compared: 0, failed: 0, isLost: false };
    let renewing = Promise.resolve();
    const renew = () => (renewing = renewing.then(() => this.renew(claimed, pass)));
    const renewal = setInterval(() => void renew(), (this.leaseSeconds * 1_000) / 4);
    const after = await this.comparePages(claimed, pass).finally(() => clearInterval(renewal));
    // A renewal that is late would make the next pass due too early.
    await renewing;
    // A stopping process leaves the remaining tenants to another process.
    const pauseSeconds = isStopping() ? 0 : intervalSeconds;
    return store.end(claimed, { tenants: pass.compared, drift: pass.drift, after }, pauseSeconds);
  }

  private get leaseSeconds(): number {
    return this.parts.leaseSeconds ?? LEASE_SECONDS;
  }

  private async renew(claimed: ClaimedPass, pass: Pass): Promise<void> {
    try {
      pass.isLost ||= !(await this.parts.store.renew(claimed, this.leaseSeconds));
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'Renewing the lease of a reconciliation failed; it will be retried');
    }
  }

  /** Returns the tenant after which the next pass begins. Null means the first tenant. */
  private async comparePages(claimed: ClaimedPass, pass: Pass): Promise<string | null> {
    const { store, tenantsMax = TENANTS_MAX, tenantsPerPage = TENANTS_PER_PAGE } = this.parts;
    let after = claimed.after ?? BEFORE_ALL;
    for (let left = tenantsMax; left > 0 && !this.isOver(pass);) {
      const wanted = Math.min(left, tenantsPerPage);
      const tenants = await store.tenantsAfter(after, wanted);
      const attempted = await this.comparePage(tenants, pass);
      if (tenants.length < wanted && attempted === tenants.length) return null;
      after = tenants[attempted - 1] ?? after;
      left -= attempted;
      pass.isLost ||= !(await store.advance(claimed, after, this.leaseSeconds));
    }
    return after;
  }

  private isOver({ failed, isLost }: Pass): boolean {
    return this.parts.isStopping() || isLost || failed >= FAILED_MAX;
  }

  /** Returns how many of the tenants were attempted, in their order. */
  private async comparePage(tenants: readonly string[], pass: Pass): Promise<number> {
    const different = new Map<string, Counts>();
    const attempted = await this.forEach(tenants, pass, async (tenantId) => {
      const theirs = await this.counts(tenantId);
      if (isEqual(await this.parts.store.totals(tenantId), theirs)) pass.compared++;
      else different.set(tenantId, theirs);
    });
    if (different.size > 0) await this.waitForEvents();
    await this.forEach([...different.keys()], pass, async (tenantId) => {
      const ours = await this.parts.store.totals(tenantId);
      const theirs = await this.counts(tenantId);
      if (!isEqual(different.get(tenantId) ?? noDrift(), theirs)) return;
      pass.compared++;
      pass.drift = addDrift(pass.drift, ours, theirs);
      if (!isEqual(ours, theirs)) this.parts.logger.warn({ tenantId, ours, theirs }, 'Totals differ from the counts');
    });
    return attempted;
  }

  /** Does the work for several tenants at a time, in order. A tenant whose work fails is left out. Returns how many were attempted. */
  private async forEach(tenants: readonly string[], pass: Pass, work: (tenantId: string) => Promise<void>) {
    let attempted = 0;
    const run = async () => {
      while (attempted < tenants.length && !this.isOver(pass)) {
        const tenantId = tenants[attempted++] as string;
        try {
          await work(tenantId);
        } catch (error) {
          pass.failed++;
          this.parts.logger.warn({ err: error, tenantId }, 'Comparing the totals of a tenant failed');
        }
      }
    };
    await Promise.all(Array.from({ length: TENANTS_AT_ONCE }, run));
    return attempted;
  }

  /** Ends early when the process stops. */
  private async waitForEvents(): Promise<void> {
    const end = performance.now() + (this.parts.arrivalMs ?? ARRIVAL_MS);
    while (performance.now() < end && !this.parts.isStopping())
      await sleep(Math.min(STOP_CHECK_MS, end - performance.now()));
  }

  private async counts(tenantId: string): Promise<Counts> {
    const context = contextOf(tenantId);
    const [files, jobs] = await Promise.all([
      this.parts.rpc.call(filesOperations.countFiles, {}, context),
      this.parts.rpc.call(jobsOperations.countJobs, {}, context),
    ]);
    return {
      ...files.status_counts,
      size_bytes: files.total_size_bytes,
      jobs: Object.values(jobs.status_counts).reduce((sum, count) => sum + count, 0),
      jobs_completed: jobs.status_counts.completed,
      jobs_failed: jobs.status_counts.failed,
    };
  }
}

const contextOf = (tenantId: string): CallContext =>
  internalContext('analytics', { tenantId, requestId: 'reconciliation', timeoutMs: CALL_TIMEOUT_MS });
