// Compares the totals of all tenants with what the files and jobs services count themselves. Events need a moment to arrive, so a tenant that
// differs is compared again. If its counts have changed by then, it is busy and left to the next pass; otherwise events were lost.
import { filesOperations, jobsOperations, modeOf, type CallContext } from '@kiln/contracts';
import type { Logger, RpcClient } from '@kiln/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDrift, isEqual, noDrift, type Counts } from './domain/drift.js';
import type { ReconciliationStore } from './reconciliation.store.js';

export interface CompareTotalsParts {
  store: ReconciliationStore;
  rpc: Pick<RpcClient, 'call'>;
  logger: Logger;
  isStopping: () => boolean;
  intervalSeconds: number;
  /** Default 100,000. */
  tenantsMax?: number;
  /** How long an event may be under way. */
  arrivalMs?: number;
}

/** Tenants of a pass. The next one continues. */
const TENANTS_MAX = 100_000;
/** Tenants that share one wait for their events. */
const TENANTS_PER_PAGE = 1_000;
const TENANTS_AT_ONCE = 4;
/** Failures after which a pass ends: another service is away. */
const FAILED_MAX = 100;
const CALL_TIMEOUT_MS = 30_000;
const ARRIVAL_MS = 10_000;
const STOP_CHECK_MS = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

interface Pass {
  drift: Counts;
  compared: number;
  failed: number;
}

export class CompareTotals {
  constructor(private readonly parts: CompareTotalsParts) {}

  /** One pass, which begins where the last one stopped; false if none is due. */
  async round(): Promise<boolean> {
    const { store, isStopping, intervalSeconds, tenantsMax = TENANTS_MAX } = this.parts;
    const claimed = await store.claimPass(intervalSeconds);
    if (claimed === null) return false;
    const pass: Pass = { drift: noDrift(), compared: 0, failed: 0 };
    let after: string | null = claimed.after ?? BEFORE_ALL;
    for (let left = tenantsMax; left > 0 && pass.failed < FAILED_MAX && after !== null;) {
      const wanted = Math.min(left, TENANTS_PER_PAGE);
      const tenants: string[] = await store.tenantsAfter(after, wanted);
      await this.comparePage(tenants, pass);
      if (isStopping()) return false;
      left -= tenants.length;
      after = tenants.length < wanted ? null : (tenants.at(-1) ?? null);
    }
    await store.end({ tenants: pass.compared, drift: pass.drift, after });
    return true;
  }

  private async comparePage(tenants: readonly string[], pass: Pass): Promise<void> {
    const different = new Map<string, Counts>();
    await this.forEach(tenants, pass, async (tenantId) => {
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
  }

  /** Does the work for several tenants at a time. A tenant whose work fails is left out. */
  private async forEach(tenants: readonly string[], pass: Pass, work: (tenantId: string) => Promise<void>) {
    const remaining = tenants.values();
    const run = async () => {
      for (const tenantId of remaining) {
        if (this.parts.isStopping() || pass.failed >= FAILED_MAX) return;
        try {
          await work(tenantId);
        } catch (error) {
          pass.failed++;
          this.parts.logger.warn({ err: error, tenantId }, 'Comparing the totals of a tenant failed');
        }
      }
    };
    await Promise.all(Array.from({ length: TENANTS_AT_ONCE }, run));
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

const contextOf = (tenantId: string): CallContext => ({
  requestId: 'reconciliation',
  tenantId,
  mode: modeOf(tenantId),
  principal: 'analytics',
  deadlineAt: Date.now() + CALL_TIMEOUT_MS,
});
