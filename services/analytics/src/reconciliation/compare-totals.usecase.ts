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
  /** How long an event may be under way. */
  arrivalMs?: number;
}

const TENANTS_PER_PAGE = 100;
const CALL_TIMEOUT_MS = 30_000;
const ARRIVAL_MS = 10_000;
const STOP_CHECK_MS = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export class CompareTotals {
  constructor(private readonly parts: CompareTotalsParts) {}

  /** One pass over all tenants; false if none is due. */
  async round(): Promise<boolean> {
    const { store, isStopping, intervalSeconds } = this.parts;
    if (!(await store.claimPass(intervalSeconds))) return false;
    let drift = noDrift();
    let compared = 0;
    let after = BEFORE_ALL;
    for (;;) {
      const tenants = await store.tenantsAfter(after, TENANTS_PER_PAGE);
      const different = await this.differentOf(tenants);
      compared += tenants.length - different.size;
      if (different.size > 0) await this.waitForEvents();
      if (isStopping()) return false;
      for (const [tenantId, before] of different) {
        const ours = await store.totals(tenantId);
        const theirs = await this.counts(tenantId);
        if (!isEqual(before, theirs)) continue;
        compared++;
        drift = addDrift(drift, ours, theirs);
        if (!isEqual(ours, theirs)) this.parts.logger.warn({ tenantId, ours, theirs }, 'Totals differ from the counts');
      }
      after = tenants.at(-1) ?? after;
      if (tenants.length < TENANTS_PER_PAGE) break;
    }
    await store.end(compared, drift);
    return true;
  }

  /** Ends early when the process stops. */
  private async waitForEvents(): Promise<void> {
    const end = performance.now() + (this.parts.arrivalMs ?? ARRIVAL_MS);
    while (performance.now() < end && !this.parts.isStopping())
      await sleep(Math.min(STOP_CHECK_MS, end - performance.now()));
  }

  /** The tenants whose totals differ, with the counts of the other services. */
  private async differentOf(tenants: readonly string[]): Promise<Map<string, Counts>> {
    const different = new Map<string, Counts>();
    for (const tenantId of tenants) {
      if (this.parts.isStopping()) break;
      const theirs = await this.counts(tenantId);
      if (!isEqual(await this.parts.store.totals(tenantId), theirs)) different.set(tenantId, theirs);
    }
    return different;
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
