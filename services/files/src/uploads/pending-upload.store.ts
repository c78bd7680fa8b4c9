// Uploads whose bytes have not arrived. A claim moves the next check into the future, which is both its lease and its back-off: a
// process that dies during a check only delays the next one.
import { Database, nextDueInMs, nextDueStatement, statement, type Queryable } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';

export interface PendingUpload {
  tenantId: string;
  fileId: string;
  expired: boolean;
}

/** Back-off 2 s × 1.5^n, at most 5 min: 10,000 uploads that never arrive cost some 33 look-ups a second, whatever their age. */
const claim = statement(
  'pending_uploads.claim',
  `update pending_uploads p
   set checks = p.checks + 1,
       next_check_at = now() + make_interval(secs => least(300, 2 * power(1.5, least(p.checks, 20) + 1)))
   from (select tenant_id, file_id from pending_uploads where next_check_at <= now()
         order by next_check_at limit $1 for update skip locked) due
   where p.tenant_id = due.tenant_id and p.file_id = due.file_id
   returning p.tenant_id, p.file_id, p.expires_at <= now() as expired`,
);
const nextDue = nextDueStatement('pending_uploads.next_due', 'select min(next_check_at) from pending_uploads');

@Injectable()
export class PendingUploadStore {
  constructor(@Inject(Database) private readonly database: Queryable) {}

  /** Claims up to `limit` uploads that are due for a check. */
  async claimDue(limit: number): Promise<PendingUpload[]> {
    const rows = await this.database.query<{ tenant_id: string; file_id: string; expired: boolean }>(claim, [limit]);
    return rows.map((row) => ({ tenantId: row.tenant_id, fileId: row.file_id, expired: row.expired }));
  }

  /** Milliseconds until the next upload is due for a check. Null when none is pending. */
  nextDueInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextDue);
  }
}
