// Pages of an organization: reports usage, reserves pages before work is accepted, releases them when it is not accepted after all.
import { CodedError, encodeId, uuidOf, type CallContext, type JobsInput, type JobsOutput } from '@kiln/contracts';
import { Database, GroupedCalls } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { expectedHundredths } from './domain/pages.js';
import { balanceText, type PageBalance } from './domain/quota-exceeded.js';
import {
  PageReservationStore,
  RESERVATION_SECONDS,
  type ReservationOutcome,
  type ReservedJob,
} from './page-reservation.store.js';
import { UsageStore } from './usage.store.js';

type PageRequest = { jobs: ReservedJob[]; pagesLimit: number };

const CALLS_PER_TRANSACTION_MAX = 50;

@Injectable()
export class CountPages {
  private readonly requests: GroupedCalls<PageRequest, ReservationOutcome>;

  constructor(
    private readonly database: Database,
    private readonly usage: UsageStore,
    private readonly reservations: PageReservationStore,
  ) {
    // Transactions of one tenant wait for each other in the database anyway.
    const options = { inFlightMax: 1, callsMax: CALLS_PER_TRANSACTION_MAX };
    this.requests = new GroupedCalls((tenantId, requests) => this.reserveAll(tenantId, requests), options);
  }

  async getUsage({ tenantId }: CallContext): Promise<JobsOutput<'getUsage'>> {
    const { period, pagesUsed } = await this.usage.find(tenantId);
    return { period, pages_used: pagesUsed };
  }

  async reserve(
    { jobs: expected, pages_limit }: JobsInput<'reservePages'>,
    { tenantId }: CallContext,
  ): Promise<JobsOutput<'reservePages'>> {
    const jobs = expected.map((job) => ({ jobId: uuidOf('job', job.id), hundredths: expectedHundredths(job) }));
    const outcome = await this.requests.run(tenantId, { jobs, pagesLimit: pages_limit });
    if (!outcome.fits) throw quotaExceeded(outcome);
    return {
      reserved: outcome.newJobIds.map((id) => encodeId('job', id)),
      lease_seconds: RESERVATION_SECONDS,
    };
  }

  async release(
    { job_ids }: JobsInput<'releasePages'>,
    { tenantId }: CallContext,
  ): Promise<JobsOutput<'releasePages'>> {
    await this.reservations.release(
      tenantId,
      job_ids.map((id) => uuidOf('job', id)),
    );
    return {};
  }

  private reserveAll(liveTenantId: string, requests: PageRequest[]): Promise<ReservationOutcome[]> {
    return this.database.transaction(async (transaction) => {
      await this.reservations.lock(transaction, liveTenantId);
      const outcomes: ReservationOutcome[] = [];
      for (const request of requests) {
        outcomes.push(await this.reservations.reserve(transaction, { liveTenantId, ...request }));
      }
      return outcomes;
    });
  }
}

const quotaExceeded = (balance: PageBalance) =>
  new CodedError(
    'QUOTA_EXCEEDED',
    `There is no room for at least ${balance.neededPages.toLocaleString('en')} more pages. ${balanceText(balance)} Wait until then, ` +
      'let running jobs end, or ask your operator for a larger plan.',
  );
