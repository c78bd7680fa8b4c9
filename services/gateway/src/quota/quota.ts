// Whether work may be accepted. Where the plan ends hard, pages are reserved for each job before anything is read or written;
// work of other plans, and of test planes, which use no pages, is let through without a call.
import { jobsOperations, type CallContext, type ExpectedJob } from '@kiln/contracts';
import type { Logger, RpcClient } from '@kiln/platform';
import type { KeyCaller } from '../auth/caller.js';
import type { PlanPages } from './plan-pages.js';

/** Room for jobs that are about to be. */
export interface Permit {
  /**
   * Makes sure that the room is still there when time has passed, and that there is room for what is known now of the jobs, when
   * that is given. Throws QUOTA_EXCEEDED when there is not.
   */
  renew(context: CallContext, known?: readonly ExpectedJob[]): Promise<void>;
  /** These, of all when none are named, will not be: gives back what this permit has reserved for them. Never throws. */
  release(jobIds?: readonly string[]): Promise<void>;
}

/** Of a file about which this much is known. */
export const expectedJob = (id: string, file: Omit<ExpectedJob, 'id'>): ExpectedJob => ({
  id,
  content_type: file.content_type,
  size_bytes: file.size_bytes,
});

const freely: Permit = { renew: async () => undefined, release: async () => undefined };

const RELEASE_TIMEOUT_MS = 2_000;
/** A permit is renewed when half of its lease has passed. */
const RENEW_PART = 0.5;

export interface QuotaParts {
  rpc: Pick<RpcClient, 'call'>;
  plans: PlanPages;
  logger: Logger;
}

export class Quota {
  constructor(private readonly parts: QuotaParts) {}

  /** Throws QUOTA_EXCEEDED, or UNAVAILABLE when the plan ends hard and nobody can say whether it has. */
  async admit(caller: KeyCaller, jobs: readonly ExpectedJob[], context: CallContext): Promise<Permit> {
    if (jobs.length === 0) return freely;
    const pagesLimit = this.hardLimitOf(caller);
    return pagesLimit === null ? freely : this.reserve(jobs, pagesLimit, context);
  }

  /**
   * For work whose jobs only a service can count: where the plan ends hard, the limit that the service has to reserve each job
   * against, as `admit` does; null where nothing is to be reserved.
   */
  delegate(caller: KeyCaller): number | null {
    return this.hardLimitOf(caller);
  }

  private hardLimitOf({ plan, mode }: KeyCaller): number | null {
    if (mode === 'test') return null;
    const { pages, hardStop } = this.parts.plans[plan];
    return hardStop ? pages : null;
  }

  private async reserve(jobs: readonly ExpectedJob[], pagesLimit: number, context: CallContext): Promise<Permit> {
    const ask = (now: CallContext, known: readonly ExpectedJob[]) =>
      this.parts.rpc.call(jobsOperations.reservePages, { jobs: [...known], pages_limit: pagesLimit }, now);
    let { reserved, lease_seconds: leaseSeconds } = await ask(context, jobs);
    let askedAt = Date.now();
    return {
      renew: async (now, known) => {
        if (!known && Date.now() - askedAt < leaseSeconds * 1_000 * RENEW_PART) return;
        const renewed = await ask(now, known ?? jobs);
        reserved = [...new Set([...reserved, ...renewed.reserved])];
        ({ lease_seconds: leaseSeconds } = renewed);
        askedAt = Date.now();
      },
      release: async (ids = jobs.map(({ id }) => id)) => {
        const mine = reserved.filter((id) => ids.includes(id));
        if (mine.length > 0) await this.release(mine, context);
      },
    };
  }

  private async release(jobIds: string[], context: CallContext): Promise<void> {
    const soon = { ...context, deadlineAt: Date.now() + RELEASE_TIMEOUT_MS };
    try {
      await this.parts.rpc.call(jobsOperations.releasePages, { job_ids: jobIds }, soon);
    } catch (error) {
      const about = { requestId: context.requestId, jobs: jobIds.length };
      this.parts.logger.warn({ err: error, ...about }, 'reserved pages will be free when their lease ends');
    }
  }
}
