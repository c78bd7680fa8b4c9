// The page reservation of a running job under a plan with a hard limit: once its pages are known, it reserves all of them or fails.
import { Database } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { QuotaExceededError } from '../organization/pages/domain/quota-exceeded.js';
import type { Lease } from '../leases/lease.store.js';
import { PageReservationStore } from '../organization/pages/page-reservation.store.js';

@Injectable()
export class RunQuota {
  constructor(
    private readonly database: Database,
    private readonly reservations: PageReservationStore,
  ) {}

  /** Throws QuotaExceededError. Idempotent. Does nothing for a job without a reservation. */
  async hold(lease: Lease, hundredths: number): Promise<void> {
    const { tenantId, jobId } = lease;
    const outcome = await this.database.transaction(async (transaction) => {
      await this.reservations.lock(transaction, tenantId);
      return this.reservations.adjust(transaction, tenantId, { jobId, hundredths });
    });
    if (outcome && !outcome.fits) throw new QuotaExceededError(outcome);
  }
}
