// Pages of an organization: told, reserved before work is accepted, released when it was not accepted after all.
import {
  CodedError,
  encodeId,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import { Database, GroupedCalls } from '@kiln/platform';
import { expectedHundredths } from '../domain/pages.js';
import { balanceText, type PageBalance } from '../domain/quota-exceeded.js';
import {
  PageReservationStore,
  RESERVATION_SECONDS,
  type Judgement,
  type ReservedJob,
} from '../store/page-reservation.store.js';
import { UsageStore } from '../store/usage.store.js';

type Ops = typeof jobsOperations;
type Wish = { jobs: ReservedJob[]; pagesLimit: number };

const CALLS_PER_TRANSACTION_MAX = 50;

export class CountPages {
  private readonly wishes: GroupedCalls<Wish, Judgement>;

  constructor(
    private readonly database: Database,
    private readonly usage: UsageStore,
    private readonly reservations: PageReservationStore,
  ) {
    // They would wait for each other in the database anyway.
    const options = { inFlightMax: 1, callsMax: CALLS_PER_TRANSACTION_MAX };
    this.wishes = new GroupedCalls((tenantId, wishes) => this.judge(tenantId, wishes), options);
  }

  async getUsage({ tenantId }: CallContext): Promise<OperationOutput<Ops['getUsage']>> {
    const { period, pagesUsed } = await this.usage.find(tenantId);
    return { period, pages_used: pagesUsed };
  }

  async reserve(
    { jobs: expected, pages_limit }: OperationInput<Ops['reservePages']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['reservePages']>> {
    const jobs = expected.map((job) => ({ jobId: uuidOf('job', job.id), hundredths: expectedHundredths(job) }));
    const judgement = await this.wishes.run(tenantId, { jobs, pagesLimit: pages_limit });
    if (!judgement.fits) throw quotaExceeded(judgement);
    return {
      reserved: judgement.newJobIds.map((id) => encodeId('job', id)),
      lease_seconds: RESERVATION_SECONDS,
    };
  }

  async release(
    { job_ids }: OperationInput<Ops['releasePages']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['releasePages']>> {
    await this.reservations.release(
      tenantId,
      job_ids.map((id) => uuidOf('job', id)),
    );
    return {};
  }

  private judge(liveTenantId: string, wishes: Wish[]): Promise<Judgement[]> {
    return this.database.transaction(async (transaction) => {
      await this.reservations.lock(transaction, liveTenantId);
      const judgements: Judgement[] = [];
      for (const wish of wishes) {
        judgements.push(await this.reservations.reserve(transaction, { liveTenantId, ...wish }));
      }
      return judgements;
    });
  }
}

const quotaExceeded = (balance: PageBalance) =>
  new CodedError(
    'QUOTA_EXCEEDED',
    `There is no room for at least ${balance.neededPages.toLocaleString('en')} more pages. ${balanceText(balance)} Wait until then, ` +
      'let jobs under way end, or ask your operator for a larger plan.',
  );
