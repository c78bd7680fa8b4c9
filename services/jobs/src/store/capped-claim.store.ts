// Claims within limits on what runs at a time, one after the other over all workers.
import type { Database, Queryable } from '@kiln/platform';
import type { RunningLimits } from '../domain/running-limits.js';
import { cappedClaim, offerRoom, waitForOtherClaims } from './capped-claim.statement.js';

export interface CappedClaim {
  jobsMax: number;
  workerId: string;
  leaseSeconds: number;
  /** Tenants of runs that end with this claim. */
  endedOf: readonly string[];
}

export class CappedClaimStore {
  constructor(
    private readonly database: Database,
    private readonly limits: RunningLimits,
  ) {}

  /** Does `end` first, then claims what there is room for; both or neither. Answers what each has answered. */
  claimAfter<Ended, Row extends object>(
    end: (transaction: Queryable) => Promise<Ended>,
    { jobsMax, workerId, leaseSeconds, endedOf }: CappedClaim,
  ): Promise<{ ended: Ended; rows: Row[] }> {
    const { ofTenant, ofProvider } = this.limits;
    return this.database.transaction(async (transaction) => {
      const ended = await end(transaction);
      await transaction.query(waitForOtherClaims);
      if (endedOf.length > 0) await transaction.query(offerRoom, [endedOf]);
      const providers = [[...ofProvider.keys()], [...ofProvider.values()]];
      const values = [jobsMax, workerId, leaseSeconds, ofTenant, ...providers];
      return { ended, rows: await transaction.query<Row>(cappedClaim, values) };
    });
  }
}
