// Uploads whose bytes will replace the content of a file. A claim moves the next check into the future, which is both its lease and its
// back-off.
import { Database, nextDueInMs, nextDueStatement, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { LATE_PUT } from '../uploads/end-pending.statement.js';
import { FIRST_CHECK_SECONDS } from '../uploads/new-file.store.js';
import type { ReplacementEntity } from './replacement.entity.js';

export type ReplacementRow = Omit<ReplacementEntity, 'due_at' | 'checks'>;

/** A replacement that is due for a check. */
export interface DueReplacement {
  tenantId: string;
  uploadId: string;
  hasArrived: boolean;
  hasExpired: boolean;
}

const COLUMNS = 'tenant_id, upload_id, file_id, upload, has_arrived, expires_at';
const insert = statement(
  'replacements.insert',
  `insert into replacements (tenant_id, upload_id, file_id, upload, expires_at, due_at)
   values ($1, $2, $3, $4, now() + make_interval(secs => $5), now() + interval '${FIRST_CHECK_SECONDS} seconds')
   on conflict do nothing returning 1`,
);
const find = statement(
  'replacements.find',
  `select ${COLUMNS} from replacements where tenant_id = $1 and upload_id = $2`,
);
/** The fence of an arrival: it returns a row once. */
const markArrived = statement(
  'replacements.mark_arrived',
  `update replacements set has_arrived = true, due_at = expires_at + ${LATE_PUT}
   where tenant_id = $1 and upload_id = $2 and not has_arrived returning 1`,
);
/** A trigger queues the removal of the bytes. */
const removePending = statement(
  'replacements.remove_pending',
  `delete from replacements where tenant_id = $1 and upload_id = $2 and not has_arrived returning ${COLUMNS}`,
);
/** A trigger queues the removal of the bytes, unless they are the content of a file. */
const removeArrived = statement(
  'replacements.remove_arrived',
  'delete from replacements where tenant_id = $1 and upload_id = $2 and has_arrived',
);
/**
 * A claim. It serves tenants round robin, and finds them one after the other in the index, so a tenant with many replacements costs no more
 * than one with a few. Only their index can answer a range of both columns. The back-off is 2 s × 1.5^n, at most 5 min.
 */
const claim = statement(
  'replacements.claim',
  `with recursive tenants as (
     (select tenant_id from replacements order by tenant_id limit 1)
     union all
     select (select r.tenant_id from replacements r where r.tenant_id > t.tenant_id order by r.tenant_id limit 1)
     from tenants t where t.tenant_id is not null
   ), due as (
     select tenants.tenant_id, d.upload_id, d.due_at,
       row_number() over (partition by tenants.tenant_id order by d.due_at) as round
     from tenants cross join lateral (
       select upload_id, due_at from replacements r
       where (r.tenant_id, r.due_at) between (tenants.tenant_id, '-infinity'::timestamptz) and (tenants.tenant_id, now())
       order by r.tenant_id, r.due_at limit $1) d
   ), chosen as materialized (
     select tenant_id, upload_id from due order by round, due_at, tenant_id limit $1
   ), locked as materialized (
     select p.place from chosen cross join lateral (
       select ctid as place from replacements r
       where r.tenant_id = chosen.tenant_id and r.upload_id = chosen.upload_id and r.due_at <= now() for update skip locked) p
   )
   update replacements r
   set checks = r.checks + 1, due_at = now() + make_interval(secs => least(300, 2 * power(1.5, least(r.checks, 20) + 1)))
   where r.ctid = any(array(select place from locked))
   returning r.tenant_id, r.upload_id, r.has_arrived, r.expires_at <= now() as has_expired`,
);
const nextDue = nextDueStatement('replacements.next_due', 'select min(due_at) from replacements');

@Injectable()
export class ReplacementStore {
  constructor(private readonly database: Database) {}

  /** Returns false for an upload that is registered already. */
  async insert(
    transaction: Queryable,
    { tenant_id, upload_id, file_id, upload }: Omit<ReplacementRow, 'has_arrived' | 'expires_at'>,
    expiresSeconds: number,
  ): Promise<boolean> {
    const values = [tenant_id, upload_id, file_id, JSON.stringify(upload), expiresSeconds];
    return (await transaction.query(insert, values)).length > 0;
  }

  async find(tenantId: string, uploadId: string, on: Queryable = this.database): Promise<ReplacementRow | null> {
    const [row] = await on.query<ReplacementRow & Record<string, unknown>>(find, [tenantId, uploadId]);
    return row ?? null;
  }

  /** Returns false if the upload has ended. */
  async markArrived(transaction: Queryable, tenantId: string, uploadId: string): Promise<boolean> {
    return (await transaction.query(markArrived, [tenantId, uploadId])).length > 0;
  }

  /** Ends an upload whose bytes have not arrived, and returns it. Null if it has ended. */
  async removePending(transaction: Queryable, tenantId: string, uploadId: string): Promise<ReplacementRow | null> {
    const [row] = await transaction.query<ReplacementRow & Record<string, unknown>>(removePending, [
      tenantId,
      uploadId,
    ]);
    return row ?? null;
  }

  /** Forgets an upload that needs no further check. */
  async removeArrived(tenantId: string, uploadId: string): Promise<void> {
    await this.database.query(removeArrived, [tenantId, uploadId]);
  }

  async claimDue(limit: number): Promise<DueReplacement[]> {
    const rows = await this.database.query<{
      tenant_id: string;
      upload_id: string;
      has_arrived: boolean;
      has_expired: boolean;
    }>(claim, [limit]);
    return rows.map((row) => ({
      tenantId: row.tenant_id,
      uploadId: row.upload_id,
      hasArrived: row.has_arrived,
      hasExpired: row.has_expired,
    }));
  }

  /** Milliseconds until the next check is due. Null when there are none. */
  nextDueInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextDue);
  }
}
