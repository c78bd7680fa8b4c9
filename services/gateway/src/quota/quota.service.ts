// Decides whether work is accepted. On a plan with a hard limit, pages are reserved for each job before anything is read or written. Work on
// other plans, and in test mode, which uses no pages, passes without a call.
import { CodedError, jobsOperations, type CallContext, type ExpectedJob } from '@kiln/contracts';
import { isUnheard, type Logger, type RpcClient } from '@kiln/platform';
import type { KeyCaller } from '../auth/caller.domain.js';
import type { Plan } from '../organizations/plan.domain.js';
import type { PlanNodes } from './plan-nodes.config.js';
import type { PlanPages } from './plan-pages.config.js';

/** The reservation for jobs that are about to be created. */
export interface PageReservation {
  /**
   * Renews the reservation when its lease is running out, and adjusts it to what is now known of the jobs, if given.
   * Throws QUOTA_EXCEEDED if the pages are not available.
   */
  renew(context: CallContext, known?: readonly ExpectedJob[]): Promise<void>;
  /** Releases the pages of jobs that will not be created: these, or all if none are named. Never throws. */
  release(jobIds?: readonly string[]): Promise<void>;
}

/** The job of a file, estimated by what is known of the file. None if it is not to be processed. */
export const expectedJobs = (id: string | null, file: Omit<ExpectedJob, 'id'>): ExpectedJob[] =>
  id === null ? [] : [{ id, content_type: file.content_type, size_bytes: file.size_bytes }];

/** Whether a service certainly did nothing: it refused the call, or no process received it. */
export function wasRefused(error: unknown): boolean {
  if (!(error instanceof CodedError)) return false;
  return error.code === 'UNAVAILABLE' ? isUnheard(error) : error.status < 500;
}

/** Waits for a call that makes jobs. If it was refused, releases the pages of these jobs, or all if none are named. */
export async function releasedIfRefused<Result>(
  reservation: PageReservation,
  call: Promise<Result>,
  jobIds?: readonly string[],
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (wasRefused(error)) await reservation.release(jobIds);
    throw error;
  }
}

const freely: PageReservation = { renew: async () => undefined, release: async () => undefined };

const RELEASE_TIMEOUT_MS = 2_000;
/** A reservation is renewed when half of its lease has passed. */
const RENEW_PART = 0.5;

export interface QuotaParts {
  rpc: Pick<RpcClient, 'call'>;
  plans: PlanPages;
  planNodes: PlanNodes;
  logger: Logger;
}

export class Quota {
  constructor(private readonly parts: QuotaParts) {}

  /** Throws QUOTA_EXCEEDED, or UNAVAILABLE if the plan has a hard limit and the jobs service does not respond. */
  async admit(caller: KeyCaller, jobs: readonly ExpectedJob[], context: CallContext): Promise<PageReservation> {
    if (jobs.length === 0) return freely;
    const pagesLimit = this.hardLimitOf(caller);
    return pagesLimit === null ? freely : this.reserve(jobs, pagesLimit, context);
  }

  /** The limits of the plan that the connections service applies to the syncs of a connection. */
  syncLimits(caller: KeyCaller): { pages_limit: number | null; nodes_limit: number } {
    return { pages_limit: this.hardLimitOf(caller), nodes_limit: this.parts.planNodes[caller.plan] };
  }

  /**
   * The limit of the pages of a month, if work beyond it is refused, or null. Work whose jobs only a service can count is sent with it: that
   * service reserves the pages of each job.
   */
  hardLimitOf({ plan, mode }: KeyCaller): number | null {
    if (mode === 'test') return null;
    const { pages, hardStop } = this.parts.plans[plan];
    return hardStop ? pages : null;
  }

  /** The pages of a month in the plan. Null if they are not limited. */
  pagesOf(plan: Plan): number | null {
    return this.parts.plans[plan].pages;
  }

  private async reserve(
    jobs: readonly ExpectedJob[],
    pagesLimit: number,
    context: CallContext,
  ): Promise<PageReservation> {
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
      this.parts.logger.warn(
        { err: error, ...about },
        'Releasing reserved pages failed; they are released when their lease expires',
      );
    }
  }
}
