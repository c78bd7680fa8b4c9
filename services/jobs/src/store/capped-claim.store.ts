// Claims within limits on what runs at a time, one after the other over all workers.
import type { Database } from '@kiln/platform';
import type { RunningLimits } from '../domain/running-limits.js';
import { cappedClaim, offerRoom, waitForOtherClaims } from './capped-claim.statement.js';
import type { Claimed } from './claim.statement.js';

export class CappedClaimStore {
  constructor(
    private readonly database: Database,
    private readonly limits: RunningLimits,
  ) {}

  /** What there is room for; `values` are those of a claim without limits, `endedOf` the tenants of runs that ended since the last. */
  claim(values: readonly unknown[], endedOf: readonly string[]): Promise<Claimed[number][]> {
    const { ofTenant, ofProvider } = this.limits;
    return this.database.transaction(async (transaction) => {
      await transaction.query(waitForOtherClaims);
      if (endedOf.length > 0) await transaction.query(offerRoom, [[...endedOf].sort()]);
      const providers = [[...ofProvider.keys()], [...ofProvider.values()]];
      return transaction.query<Claimed[number]>(cappedClaim, [...values, ofTenant, ...providers]);
    });
  }
}
