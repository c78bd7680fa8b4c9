// The pages of a run's job under a plan that ends hard: once they are known, the job holds all of them or ends.
import type { Database } from '@kiln/platform';
import { QuotaExceededError } from '../domain/quota-exceeded.js';
import type { Lease } from '../store/lease.store.js';
import type { PageReservationStore } from '../store/page-reservation.store.js';

export class RunQuota {
  constructor(
    private readonly database: Database,
    private readonly reservations: PageReservationStore,
  ) {}

  /** Jobs of other plans, and of test planes, have no reservation. */
  isLimited({ tenantId, jobId }: Lease): Promise<boolean> {
    return this.reservations.isReserved(tenantId, jobId);
  }

  /** Throws QuotaExceededError. Safe to repeat; for a job without a limit it does nothing. */
  async hold(lease: Lease, hundredths: number): Promise<void> {
    if (!(await this.isLimited(lease))) return;
    const { tenantId, jobId } = lease;
    const settlement = await this.database.transaction(async (transaction) => {
      await this.reservations.lock(transaction, tenantId);
      return this.reservations.settle(transaction, tenantId, { jobId, hundredths });
    });
    if (settlement && !settlement.fits) throw new QuotaExceededError(settlement);
  }
}
