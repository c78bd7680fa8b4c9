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
import { PageReservationStore, RESERVATION_SECONDS, type Judgement } from '../store/page-reservation.store.js';
import { UsageStore } from '../store/usage.store.js';

type Ops = typeof jobsOperations;
type Wish = { jobIds: string[]; pagesLimit: number };

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
    { job_ids, pages_limit }: OperationInput<Ops['reservePages']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['reservePages']>> {
    const jobIds = job_ids.map((id) => uuidOf('job', id));
    const judgement = await this.wishes.run(tenantId, { jobIds, pagesLimit: pages_limit });
    if (!judgement.fits) throw quotaExceeded(judgement, pages_limit);
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

function quotaExceeded({ usedPages, reservedPages, neededPages, resetsOn }: Judgement, limit: number): CodedError {
  const [used, reserved, needed, all] = [usedPages, reservedPages, neededPages, limit].map((pages) =>
    pages.toLocaleString('en'),
  );
  return new CodedError(
    'QUOTA_EXCEEDED',
    `The plan's limit of ${all} pages a month leaves no room: ${used} are used, ${reserved} reserved for jobs under way, and ` +
      `this needs at least ${needed}. The period resets on ${resetsOn} 00:00:00 UTC. Wait until then, let jobs under way end, ` +
      'or ask your operator for a larger plan.',
  );
}
