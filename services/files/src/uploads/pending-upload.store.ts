// Uploads whose bytes have not arrived. A claim moves the next check into the future, which is both its lease and its back-off: a
// process that dies during a check only delays the next one.
import { Database, nextDueInMs, nextDueStatement, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

export interface PendingUpload {
  fileId: string;
  expired: boolean;
}

/** Uploads of one tenant whose ids begin with `prefix`, so that one page of a listing may answer for all of them. */
export interface UploadGroup {
  tenantId: string;
  prefix: string;
  /** The uploads in the order of their ids. */
  uploads: PendingUpload[];
}

/** The first digits of an id are its time in units of 65.5 s. */
const PREFIX_DIGITS = 8;
/** The number of uploads of one tenant in a claim. */
const UPLOADS_OF_TENANT_MAX = 200;

/**
 * A claim. It serves tenants round robin: one group of each, then a second of each. It finds the tenants one after the other in
 * the index, so a tenant with many uploads costs no more than one with a few. Only their index can answer a range of both
 * columns. The back-off is 2 s × 1.5^n, at most 5 min.
 */
const claim = statement(
  'pending_uploads.claim',
  `with recursive tenants as (
     (select tenant_id from pending_uploads order by tenant_id limit 1)
     union all
     select (select p.tenant_id from pending_uploads p where p.tenant_id > t.tenant_id order by p.tenant_id limit 1)
     from tenants t where t.tenant_id is not null
   ), due as (
     select tenants.tenant_id, d.file_id, d.due_at, left(d.file_id::text, ${PREFIX_DIGITS}) as prefix
     from tenants cross join lateral (
       select file_id, due_at from pending_uploads p
       where (p.tenant_id, p.due_at) between (tenants.tenant_id, '-infinity'::timestamptz) and (tenants.tenant_id, now())
       order by p.tenant_id, p.due_at limit ${UPLOADS_OF_TENANT_MAX}) d
   ), chosen as (
     select * from (
       select tenant_id, prefix, min(due_at) as due_at,
         row_number() over (partition by tenant_id order by min(due_at), prefix) as round
       from due group by tenant_id, prefix) groups
     order by round, due_at, tenant_id limit $1
   ), locked as materialized (
     select p.place from due join chosen using (tenant_id, prefix) cross join lateral (
       select ctid as place from pending_uploads p
       where p.tenant_id = due.tenant_id and p.file_id = due.file_id and p.due_at <= now() for update skip locked) p
   )
   update pending_uploads p
   set checks = p.checks + 1,
       due_at = now() + make_interval(secs => least(300, 2 * power(1.5, least(p.checks, 20) + 1)))
   where p.ctid = any(array(select place from locked))
   returning p.tenant_id, p.file_id, p.expires_at <= now() as expired`,
);
/** Set-based. */
const release = statement(
  'pending_uploads.release',
  `update pending_uploads set checks = greatest(0, checks - 1), due_at = now()
   where tenant_id = $1 and file_id = any($2::uuid[])`,
);
const nextDue = nextDueStatement('pending_uploads.next_due', 'select min(due_at) from pending_uploads');

@Injectable()
export class PendingUploadStore {
  constructor(private readonly database: Database) {}

  /** Claims uploads that are due for a check, in up to `groupsMax` groups. */
  async claimDue(groupsMax: number): Promise<UploadGroup[]> {
    const rows = await this.database.query<{ tenant_id: string; file_id: string; expired: boolean }>(claim, [
      groupsMax,
    ]);
    const groups = new Map<string, UploadGroup>();
    for (const { tenant_id: tenantId, file_id: fileId, expired } of rows) {
      const prefix = fileId.slice(0, PREFIX_DIGITS);
      const group = groups.get(`${tenantId} ${prefix}`) ?? { tenantId, prefix, uploads: [] };
      groups.set(`${tenantId} ${prefix}`, group);
      group.uploads.push({ fileId, expired });
    }
    for (const { uploads } of groups.values()) uploads.sort((a, b) => (a.fileId < b.fileId ? -1 : 1));
    return [...groups.values()];
  }

  /** Returns uploads to the queue, for the next round. */
  async release(tenantId: string, fileIds: readonly string[]): Promise<void> {
    if (fileIds.length > 0) await this.database.query(release, [tenantId, fileIds]);
  }

  /** Milliseconds until the next upload is due for a check. Null when none is pending. */
  nextDueInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextDue);
  }
}
