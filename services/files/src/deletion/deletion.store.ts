// Deletes files and spaces. The statement that deletes a file also requests the removal of its objects.
import { Database, nextDueInMs, nextDueStatement, statement, type Queryable } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { SIGNED_URL_SECONDS } from '../config.js';
import { FILE_COLUMNS, VISIBLE_FILES, type FileRow } from '../files/file.rows.js';
import type { DeletedSpaceEntity } from './deleted-space.entity.js';

/** A run ends sooner after it has lost its lease. */
const RUN_ENDS_SECONDS = 900;
/** A worker that draws a page ends sooner. It stores the image without asking for the file again. */
const DRAWING_ENDS_SECONDS = 120;

/**
 * Deletes the files in `selected`, which has the names of their spaces, and requests the removal of their objects. A second removal deletes
 * objects that are stored after the first one. If a file has changed recently or is being processed, the second removal waits until all signed
 * URLs have expired and all runs have ended. If a file can have page images, it waits until all drawing has ended. `lifetime` is the parameter
 * with the seconds for which a signed URL is valid.
 */
const deleteSelected = (lifetime: string) => `deleted as (
    delete from files f using selected s where f.tenant_id = s.tenant_id and f.id = s.id returning ${FILE_COLUMNS}
  ), removals as (
    insert into object_removals (tenant_id, file_id, reason, writable_until)
    select tenant_id, id, 'deleted',
           case when status in ('uploading', 'processing') or updated_at > now() - make_interval(secs => ${lifetime})
             then now() + make_interval(secs => ${lifetime} + ${RUN_ENDS_SECONDS})
           when content_type = 'application/pdf' or content_type like 'image/%'
             then now() + make_interval(secs => ${DRAWING_ENDS_SECONDS}) end
    from (select tenant_id, id, status, updated_at, content_type from deleted
          union all
          select tenant_id, source_id, status, updated_at, null from deleted where source_id is not null) gone
    on conflict (tenant_id, file_id) do update
      set reason = 'deleted', due_at = now(), writable_until = excluded.writable_until,
          -- A worker that holds the weaker removal must not complete this one.
          attempts = object_removals.attempts + 1
  )
  select * from deleted`;

/** Set-based. It locks files in the order of their ids, so that two requests cannot deadlock. */
const deleteFiles = statement(
  'deletion.delete_files',
  `with selected as materialized (
     select f.tenant_id, f.id, s.name from ${VISIBLE_FILES}
     where f.tenant_id = $1 and f.id = any($2::uuid[])
       and (not $4 or (f.sha256 is null and f.source_etag is null)) order by f.id for update of f
   ), ${deleteSelected('$3')}`,
);
/** Waits for transactions that add files to the space; see `hold_spaces` in the migration. */
const lockSpace = statement('deletion.lock_space', 'select pg_advisory_xact_lock(space_lock($1, $2))');
/** Locks the counts: concurrent changes of files wait, and find nothing to count if the space is deleted. */
const countFiles = statement(
  'deletion.count_files',
  `with counts as materialized (
     select c.* from space_counts c
     where c.tenant_id = $1 and c.space_id = (select id from spaces where tenant_id = $1 and name = $2)
     order by c.slot for update of c
   )
   select s.id, (select coalesce(sum(c.uploading + c.uploaded + c.processing + c.completed + c.failed), 0)::bigint
                 from counts c) as files
   from spaces s where s.tenant_id = $1 and s.name = $2`,
);
/** Moves the row together with its deletion. */
const deleteSpace = statement(
  'deletion.delete_space',
  `with deleted as (delete from spaces where tenant_id = $1 and id = $2 returning tenant_id, id, name)
   insert into deleted_spaces (tenant_id, space_id, name)
   select tenant_id, id, name from deleted where exists (select from files where tenant_id = $1 and space_id = $2)`,
);
/** Claims the space that has been due for the longest time. */
const claimSpace = statement(
  'deletion.claim_space',
  `update deleted_spaces d set fence = d.fence + 1, due_at = now() + make_interval(secs => $1)
   from (select tenant_id, space_id from deleted_spaces where due_at <= now()
         order by due_at limit 1 for update skip locked) due
   where d.tenant_id = due.tenant_id and d.space_id = due.space_id
   returning d.tenant_id, d.space_id, d.name, d.fence`,
);
const nextDue = nextDueStatement('deletion.next_due', 'select min(due_at) from deleted_spaces');
/** Fences the writes below: a worker that has lost the lease changes nothing. */
const CLAIMED = 'tenant_id = $1 and space_id = $2 and fence = $3';
/** Holds the row of the claim until the batch is committed. Returns no row when the lease is lost. */
const renewClaim = statement(
  'deletion.renew_claim',
  `update deleted_spaces set due_at = now() + make_interval(secs => $4) where ${CLAIMED} returning 1`,
);
/** Set-based. It takes any files of the space, and locks them in the order of their ids, as a request does. */
const deleteFilesOfSpace = statement(
  'deletion.delete_files_of_space',
  `with page as materialized (
     select id from files where tenant_id = $1 and space_id = $2 limit $4
   ), selected as materialized (
     select tenant_id, id, $3::text as name from files
     where tenant_id = $1 and id = any(array(select id from page)) order by id for update
   ), ${deleteSelected('$5')}`,
);
/** Leaves the row if a request has deleted all files of the page meanwhile, and others remain. */
const removeSpace = statement(
  'deletion.remove_space',
  `delete from deleted_spaces where ${CLAIMED}
   and not exists (select from files where tenant_id = $1 and space_id = $2)`,
);
const release = statement('deletion.release', `update deleted_spaces set due_at = now() where ${CLAIMED}`);

/** A deleted space, leased to one worker. */
export type SpaceClaim = Omit<DeletedSpaceEntity, 'due_at'>;

const claimed = ({ tenant_id, space_id, fence }: SpaceClaim) => [tenant_id, space_id, fence];

/** A space to which no file can be added. */
export interface LockedSpace {
  id: string;
  files: number;
}

@Injectable()
export class DeletionStore {
  constructor(
    private readonly database: Database,
    @Inject(SIGNED_URL_SECONDS) private readonly signedUrlSeconds: number,
  ) {}

  /** Returns the deleted rows, without files that do not exist. `isUnseenOnly` leaves files whose bytes have arrived. */
  deleteFiles(
    transaction: Queryable,
    tenantId: string,
    { fileIds, isUnseenOnly }: { fileIds: readonly string[]; isUnseenOnly: boolean },
  ): Promise<FileRow[]> {
    return transaction.query<FileRow>(deleteFiles, [tenantId, fileIds, this.signedUrlSeconds, isUnseenOnly]);
  }

  /** Null when the space does not exist. */
  async lockSpace(transaction: Queryable, tenantId: string, name: string): Promise<LockedSpace | null> {
    await transaction.query(lockSpace, [tenantId, name]);
    const [space] = await transaction.query<LockedSpace>(countFiles, [tenantId, name]);
    return space ?? null;
  }

  /** Makes the files of the space invisible, and queues their deletion. Call it under `lockSpace`. */
  async deleteSpace(transaction: Queryable, tenantId: string, spaceId: string): Promise<void> {
    await transaction.query(deleteSpace, [tenantId, spaceId]);
  }

  async claimSpace(leaseSeconds: number): Promise<SpaceClaim | null> {
    const [claim] = await this.database.query<SpaceClaim>(claimSpace, [leaseSeconds]);
    return claim ?? null;
  }

  /** Milliseconds until a deleted space can be claimed. Null when there are none. */
  nextDueInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextDue);
  }

  /** Deletes the next files of a deleted space and returns them; empty when it has no more. Null when the lease is lost. */
  async deleteFilesOfSpace(
    transaction: Queryable,
    claim: SpaceClaim,
    { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
  ): Promise<FileRow[] | null> {
    const held = await transaction.query(renewClaim, [...claimed(claim), leaseSeconds]);
    if (held.length === 0) return null;
    const { tenant_id, space_id, name } = claim;
    const values = [tenant_id, space_id, name, limit, this.signedUrlSeconds];
    const rows = await transaction.query<FileRow>(deleteFilesOfSpace, values);
    if (rows.length === 0) await transaction.query(removeSpace, claimed(claim));
    return rows;
  }

  /** Returns the space to the queue. */
  async release(claim: SpaceClaim): Promise<void> {
    await this.database.query(release, claimed(claim));
  }
}
