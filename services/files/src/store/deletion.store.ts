// Deleting files, and recording in the same statement that their objects are to go.
import { nextDueInMs, nextDueStatement, statement, type Queryable } from '@kiln/platform';
import { FILE_COLUMNS, type FileRow } from './file.rows.js';

/** A run that lost its lease stops well within this. */
const RUN_ENDS_SECONDS = 900;

/**
 * Deletes `doomed` and records the removal of the objects. A file that changed lately, or that a run is at, is removed from
 * again once no signed URL and no run can write any more. `lifetime` is the parameter with the seconds a signed URL lives.
 */
const deleteDoomed = (lifetime: string) => `gone as (
    delete from file_rows f using doomed where f.tenant_id = doomed.tenant_id and f.id = doomed.id returning f.*
  ), removals as (
    insert into object_removals (tenant_id, file_id, reason, writable_until)
    select tenant_id, id, 'deleted',
           case when status in ('uploading', 'processing') or updated_at > now() - make_interval(secs => ${lifetime})
             then now() + make_interval(secs => ${lifetime} + ${RUN_ENDS_SECONDS}) end
    from gone
    on conflict (tenant_id, file_id) do update
      set reason = 'deleted', next_attempt_at = now(), writable_until = excluded.writable_until,
          -- Whoever is at the weaker removal must not settle this one.
          attempts = object_removals.attempts + 1
  )
  select ${FILE_COLUMNS} from gone`;

/** Locked in the order of ids, so that two requests never wait for each other. */
const deleteFiles = statement(
  'deletion.delete_files',
  `with doomed as materialized (
     select tenant_id, id from files where tenant_id = $1 and id = any($2::uuid[]) order by id for update
   ), ${deleteDoomed('$3')}`,
);
const lockSpace = statement(
  'deletion.lock_space',
  'select 1 from spaces where tenant_id = $1 and name = $2 for update',
);
/** A writer locks its counts, and its space only when a count is new: the same order as here. */
const lockCounts = statement(
  'deletion.lock_counts',
  'select files from space_counts where tenant_id = $1 and space = $2 order by status, slot for update',
);
/** Covers each file that is counted, since all were made before the locks were got; a millisecond is the times' precision. */
const hideSpace = statement(
  'deletion.hide_space',
  `insert into space_deletions as d (tenant_id, space, cutoff)
   values ($1, $2, clock_timestamp() + interval '1 ms')
   on conflict (tenant_id, space) do update set cutoff = greatest(d.cutoff, excluded.cutoff), next_attempt_at = now()`,
);
/** Longer than that precision: what is made after the answer is made after the cutoff. */
const pause = statement('deletion.pause', 'select pg_sleep(0.005)');
const deleteSpace = statement('deletion.delete_space', 'delete from spaces where tenant_id = $1 and name = $2');
const claimSpace = statement(
  'deletion.claim_space',
  `update space_deletions d set fence = d.fence + 1, next_attempt_at = now() + make_interval(secs => $1)
   from (select tenant_id, space from space_deletions where next_attempt_at <= now()
         order by next_attempt_at limit 1 for update skip locked) due
   where d.tenant_id = due.tenant_id and d.space = due.space
   returning d.tenant_id, d.space, d.fence`,
);
const nextDue = nextDueStatement('deletion.next_due', 'select min(next_attempt_at) from space_deletions');
/** Holds the claim's row until the batch is committed; nothing when the claim is lost. */
const renewClaim = statement(
  'deletion.renew_claim',
  `update space_deletions set next_attempt_at = now() + make_interval(secs => $4)
   where tenant_id = $1 and space = $2 and fence = $3 returning cutoff`,
);
const deleteHidden = statement(
  'deletion.delete_hidden',
  `with doomed as materialized (
     select tenant_id, id from file_rows where tenant_id = $1 and space = $2 and created_at <= $3 limit $4 for update
   ), ${deleteDoomed('$5')}`,
);
const forgetSpace = statement(
  'deletion.forget_space',
  'delete from space_deletions where tenant_id = $1 and space = $2 and fence = $3 and cutoff = $4',
);
const release = statement(
  'deletion.release',
  'update space_deletions set next_attempt_at = now() where tenant_id = $1 and space = $2 and fence = $3',
);
/** Counts no further than it matters. */
const eventsWaiting = statement(
  'deletion.events_waiting',
  'select count(*)::int as waiting from (select 1 from outbox where published_at is null limit $1) waiting',
);

/** A deleted space, leased to one worker. */
export interface SpaceClaim {
  tenantId: string;
  space: string;
  fence: number;
}

export class DeletionStore {
  constructor(
    private readonly database: Queryable,
    private readonly signedUrlSeconds: number,
  ) {}

  /** The rows as they were; files that are not there are left out. */
  deleteFiles(transaction: Queryable, tenantId: string, fileIds: readonly string[]): Promise<FileRow[]> {
    return transaction.query<FileRow>(deleteFiles, [tenantId, fileIds, this.signedUrlSeconds]);
  }

  /** How many files the space has, while nobody can add or remove any; null when there is no such space. */
  async lockSpace(transaction: Queryable, tenantId: string, space: string): Promise<number | null> {
    await transaction.query(lockCounts, [tenantId, space]);
    const found = await transaction.query(lockSpace, [tenantId, space]);
    if (found.length === 0) return null;
    // From here on no count can be added: the sum is exact and stays so.
    const counts = await transaction.query<{ files: number }>(lockCounts, [tenantId, space]);
    return counts.reduce((sum, { files }) => sum + files, 0);
  }

  /** Ends the space; with `hide` the files that lie in it can no longer be seen. To be called under `lockSpace`. */
  async endSpace(transaction: Queryable, tenantId: string, space: string, { hide }: { hide: boolean }): Promise<void> {
    if (hide) await transaction.query(hideSpace, [tenantId, space]);
    await transaction.query(deleteSpace, [tenantId, space]);
    if (hide) await transaction.query(pause);
  }

  async claimSpace(leaseSeconds: number): Promise<SpaceClaim | null> {
    const [row] = await this.database.query<{ tenant_id: string; space: string; fence: number }>(claimSpace, [
      leaseSeconds,
    ]);
    return row ? { tenantId: row.tenant_id, space: row.space, fence: row.fence } : null;
  }

  /** Milliseconds until a deleted space can be claimed; null when there is none. */
  nextDueInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextDue);
  }

  /** The next files of a deleted space, deleted; empty once there are none. Null when the claim is lost. */
  async deleteHidden(
    transaction: Queryable,
    { tenantId, space, fence }: SpaceClaim,
    { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
  ): Promise<FileRow[] | null> {
    const [claim] = await transaction.query<{ cutoff: Date }>(renewClaim, [tenantId, space, fence, leaseSeconds]);
    if (!claim) return null;
    const rows = await transaction.query<FileRow>(deleteHidden, [
      tenantId,
      space,
      claim.cutoff,
      limit,
      this.signedUrlSeconds,
    ]);
    if (rows.length === 0) await transaction.query(forgetSpace, [tenantId, space, fence, claim.cutoff]);
    return rows;
  }

  /** For others to go on with. */
  async release({ tenantId, space, fence }: SpaceClaim): Promise<void> {
    await this.database.query(release, [tenantId, space, fence]);
  }

  /** Events that are not published yet, counted up to `limit`. */
  async eventsWaiting(limit: number): Promise<number> {
    const [row] = await this.database.query<{ waiting: number }>(eventsWaiting, [limit]);
    return row?.waiting ?? 0;
  }
}
