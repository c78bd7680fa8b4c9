// Claims within limits on running jobs, one claim after the other over all workers.
import type { Database } from '@kiln/platform';
import type { RunningLimits } from './running-limits.domain.js';
import { cappedClaim, offerRoom } from './capped-claim.statement.js';
import type { ClaimRow } from '../jobs/job.rows.js';

export class CappedClaimStore {
  constructor(
    private readonly database: Database,
    private readonly limits: RunningLimits,
  ) {}

  /** `values` are those of a claim without limits. `endedOf`: tenants whose runs ended since the last claim. */
  claim(values: readonly unknown[], endedOf: readonly string[]): Promise<ClaimRow[]> {
    const { ofTenant, ofProvider } = this.limits;
    return this.database.transaction(async (transaction) => {
      // The next claim sees what this one has committed.
      await transaction.lock('jobs.claims');
      if (endedOf.length > 0) await transaction.query(offerRoom, [[...endedOf].sort()]);
      const providers = [[...ofProvider.keys()], [...ofProvider.values()]];
      return transaction.query<ClaimRow>(cappedClaim, [...values, ofTenant, ...providers]);
    });
  }
}
