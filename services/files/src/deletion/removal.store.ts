// Queue of objects to remove from storage. Rows are leased.
import { Database, nextDueInMs, nextDueStatement, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { ObjectRemovalEntity } from './object-removal.entity.js';

export interface Removal {
  tenantId: string;
  fileId: string;
  reason: ObjectRemovalEntity['reason'];
  /** Number of claims, which is also the fencing token. */
  attempts: number;
  /** Whether a file with this id or with these bytes exists, visible or not, or an upload that is about to replace the content of one. */
  hasFile: boolean;
}

/** An orphan, and when its youngest object is old enough to be removed. */
export interface Orphan {
  tenantId: string;
  fileId: string;
  dueAt: Date;
}

/** Claims the removals that have been due for the longest time. */
const claim = statement(
  'removals.claim',
  `update object_removals r set attempts = r.attempts + 1, due_at = now() + make_interval(secs => $2)
   from (select tenant_id, file_id from object_removals where due_at <= now()
         order by due_at limit $1 for update skip locked) due
   where r.tenant_id = due.tenant_id and r.file_id = due.file_id
   returning r.tenant_id, r.file_id, r.reason, r.attempts,
             (exists (select 1 from files f where f.tenant_id = r.tenant_id and f.id = r.file_id)
              or exists (select 1 from files f where f.tenant_id = r.tenant_id and f.source_id = r.file_id)
              or exists (select 1 from replacements p
                         where p.tenant_id = r.tenant_id and p.upload_id = r.file_id and not p.has_arrived)) as has_file`,
);
const nextDue = nextDueStatement('removals.next_due', 'select min(due_at) from object_removals');
/** Fences the writes below: a worker that has lost the lease changes nothing. */
const CLAIMED = `from unnest($1::uuid[], $2::uuid[], $3::int[]) as c (tenant_id, file_id, attempts)
   where r.tenant_id = c.tenant_id and r.file_id = c.file_id and r.attempts = c.attempts`;
/** Ends a removal. If objects may still be written, the removal is repeated when that has become impossible. */
const complete = statement(
  'removals.complete',
  `with again as (
     update object_removals r set due_at = writable_until, writable_until = null
     ${CLAIMED} and writable_until > now() returning r.tenant_id, r.file_id
   )
   delete from object_removals r using unnest($1::uuid[], $2::uuid[], $3::int[]) as c (tenant_id, file_id, attempts)
   where r.tenant_id = c.tenant_id and r.file_id = c.file_id and r.attempts = c.attempts
     and not exists (select 1 from again where again.tenant_id = r.tenant_id and again.file_id = r.file_id)`,
);
/** The pause is 2 s × 1.5ⁿ, at most 5 min. */
const retryLater = statement(
  'removals.retry_later',
  `update object_removals r
   set due_at = now() + make_interval(secs => least(300, 2 * power(1.5, least(r.attempts, 20) - 1)))
   ${CLAIMED}`,
);
/** Set-based. */
const addOrphans = statement(
  'removals.add_orphans',
  `insert into object_removals (tenant_id, file_id, reason, due_at)
   select tenant_id, file_id, 'orphaned', due_at
   from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as o (tenant_id, file_id, due_at)
   on conflict do nothing`,
);
/**
 * A worker may hold the former request, and may have read the variants before the new job. So it must not complete this one, which is
 * repeated at its own time.
 */
export const REQUEST_SUPERSEDED_AGAIN = `on conflict (tenant_id, file_id) do update
     set attempts = object_removals.attempts + 1, due_at = least(object_removals.due_at, excluded.due_at),
       writable_until = greatest(object_removals.writable_until, excluded.due_at)
     where object_removals.reason = 'superseded'`;
/** Set-based. The removal is due after a day if the new job has not ended by then; `runs.finish` sets an earlier time. */
const addSuperseded = statement(
  'removals.add_superseded',
  `insert into object_removals (tenant_id, file_id, reason, due_at)
   select $1, file_id, 'superseded', now() + interval '1 day' from unnest($2::uuid[]) as s (file_id) order by 2
   ${REQUEST_SUPERSEDED_AGAIN}`,
);
/** Counts the queue. */
const waiting = statement(
  'removals.waiting',
  `select (select count(*)::int from object_removals where due_at <= now()) as due,
          coalesce((select extract(epoch from now() - min(requested_at))::float8
                    from object_removals where attempts = 0 or due_at <= now()), 0) as oldest_seconds`,
);
/** Reads a file and its variants in one snapshot. */
const variantKeys = statement(
  'removals.variant_keys',
  `select f.job_id, f.status, f.source_id is null as has_own_source, array(select content_key from variants v where v.tenant_id = f.tenant_id and v.file_id = f.id
                                    and content_key is not null) as keys
   from files f where f.tenant_id = $1 and f.id = $2`,
);

/** The objects that a file still names. */
export interface KeptObjects {
  jobId: string | null;
  status: string;
  /** False once an upload has replaced the bytes with which the file was created. */
  hasOwnSource: boolean;
  keys: string[];
}

interface KeptObjectsRow extends Record<string, unknown> {
  job_id: string | null;
  status: string;
  has_own_source: boolean;
  keys: string[];
}

const arrays = (removals: readonly Removal[]) => [
  removals.map(({ tenantId }) => tenantId),
  removals.map(({ fileId }) => fileId),
  removals.map(({ attempts }) => attempts),
];

@Injectable()
export class RemovalStore {
  constructor(private readonly database: Database) {}

  async claimDue(limit: number, leaseSeconds: number): Promise<Removal[]> {
    const rows = await this.database.query<{
      tenant_id: string;
      file_id: string;
      reason: Removal['reason'];
      attempts: number;
      has_file: boolean;
    }>(claim, [limit, leaseSeconds]);
    return rows.map((row) => ({
      tenantId: row.tenant_id,
      fileId: row.file_id,
      reason: row.reason,
      attempts: row.attempts,
      hasFile: row.has_file,
    }));
  }

  /** Milliseconds until the next removal is due. Null when there are none. */
  nextDueInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextDue);
  }

  async complete(removals: readonly Removal[]): Promise<void> {
    if (removals.length > 0) await this.database.query(complete, arrays(removals));
  }

  async retryLater(removals: readonly Removal[]): Promise<void> {
    if (removals.length > 0) await this.database.query(retryLater, arrays(removals));
  }

  async addOrphans(orphans: readonly Orphan[]): Promise<void> {
    if (orphans.length === 0) return;
    await this.database.query(addOrphans, [
      orphans.map(({ tenantId }) => tenantId),
      orphans.map(({ fileId }) => fileId),
      orphans.map(({ dueAt }) => dueAt),
    ]);
  }

  /** Queues the removal for files that have a new job: its outputs replace the ones of earlier jobs. */
  async addSuperseded(transaction: Queryable, tenantId: string, fileIds: readonly string[]): Promise<void> {
    if (fileIds.length > 0) await transaction.query(addSuperseded, [tenantId, fileIds]);
  }

  async keptObjects(tenantId: string, fileId: string): Promise<KeptObjects | null> {
    const [row] = await this.database.query<KeptObjectsRow>(variantKeys, [tenantId, fileId]);
    return row ? { jobId: row.job_id, status: row.status, hasOwnSource: row.has_own_source, keys: row.keys } : null;
  }

  /** Number of removals that are due, and the age of the oldest. */
  async waiting(): Promise<{ due: number; oldestSeconds: number }> {
    const [row] = await this.database.query<{ due: number; oldest_seconds: number }>(waiting);
    return { due: row?.due ?? 0, oldestSeconds: row?.oldest_seconds ?? 0 };
  }
}
