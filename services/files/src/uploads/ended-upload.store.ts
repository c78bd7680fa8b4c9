// Uploads that have ended, until a last check for bytes that replaced theirs. They have a queue of their own, so that they do not
// delay pending uploads. A claim moves the check into the future, which is both its lease and the pause before it is repeated.
import { Database, nextDueInMs, nextDueStatement, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

export interface EndedUpload {
  tenantId: string;
  fileId: string;
}

/** Claims the uploads that have been due for the longest time. */
const claim = statement(
  'ended_uploads.claim',
  `update ended_uploads e set due_at = now() + make_interval(secs => $2)
   from (select tenant_id, file_id from ended_uploads where due_at <= now()
         order by due_at limit $1 for update skip locked) due
   where e.tenant_id = due.tenant_id and e.file_id = due.file_id
   returning e.tenant_id, e.file_id`,
);
/** Set-based. */
const remove = statement(
  'ended_uploads.remove',
  `delete from ended_uploads e using unnest($1::uuid[], $2::uuid[]) as c (tenant_id, file_id)
   where e.tenant_id = c.tenant_id and e.file_id = c.file_id`,
);
const nextDue = nextDueStatement('ended_uploads.next_due', 'select min(due_at) from ended_uploads');

@Injectable()
export class EndedUploadStore {
  constructor(private readonly database: Database) {}

  async claimDue(limit: number, leaseSeconds: number): Promise<EndedUpload[]> {
    const rows = await this.database.query<{ tenant_id: string; file_id: string }>(claim, [limit, leaseSeconds]);
    return rows.map((row) => ({ tenantId: row.tenant_id, fileId: row.file_id }));
  }

  /** Removes uploads that need no further check. */
  async remove(uploads: readonly EndedUpload[]): Promise<void> {
    if (uploads.length === 0) return;
    await this.database.query(remove, [uploads.map(({ tenantId }) => tenantId), uploads.map(({ fileId }) => fileId)]);
  }

  /** Milliseconds until the next check is due. Null when there are none. */
  nextDueInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextDue);
  }
}
