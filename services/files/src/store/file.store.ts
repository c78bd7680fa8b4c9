// Files: one row each, found by tenant and id. Runs change them only under their fencing token.
import { statement, type Database, type Queryable } from '@kiln/platform';
import type { BucketPlace } from './connection-file.store.js';
import { FILE_COLUMNS, type FileRow } from './file.rows.js';

/** One run of a file's job. */
export interface Run {
  tenantId: string;
  fileId: string;
  jobId: string;
  fence: number;
}

/** With the place of bytes that lie in a connected bucket. */
export interface BegunFile extends FileRow {
  /** The place of its job among the file's jobs. */
  job_number: number;
  place: BucketPlace | null;
}

/** What storage tells of bytes that came by a signed URL. */
export interface Arrival {
  tenantId: string;
  fileId: string;
  sizeBytes: number;
  contentType: string;
  etag: string;
}

const find = statement('files.find', `select ${FILE_COLUMNS} from files where tenant_id = $1 and id = $2`);
const findMany = statement(
  'files.find_many',
  `select ${FILE_COLUMNS} from files where tenant_id = $1 and id = any($2::uuid[])`,
);
const arrive = statement(
  'files.arrive',
  `with pending as (delete from pending_uploads where tenant_id = $1 and file_id = $2)
   update files set status = 'uploaded', size_bytes = $3, content_type = $4, source_etag = $5, updated_at = now()
   where tenant_id = $1 and id = $2 and status = 'uploading'
   returning ${FILE_COLUMNS}`,
);
const expire = statement(
  'files.expire',
  `with pending as (delete from pending_uploads where tenant_id = $1 and file_id = $2)
   update files set status = 'failed', updated_at = now()
   where tenant_id = $1 and id = $2 and status = 'uploading'
   returning ${FILE_COLUMNS}`,
);
/** Its signed URL takes bytes for a while, so they are removed again when that is over. */
const refuse = statement(
  'files.refuse_upload',
  `with pending as (
     delete from pending_uploads where tenant_id = $1 and file_id = $2 returning expires_at
   ), refused as (
     update files set status = 'failed', updated_at = now()
     where tenant_id = $1 and id = $2 and status = 'uploading'
     returning ${FILE_COLUMNS}
   ), removal as (
     insert into object_removals (tenant_id, file_id, reason, writable_until)
     select tenant_id, id, 'too_large', (select expires_at from pending) from refused on conflict do nothing
   )
   select * from refused`,
);
const begin = statement(
  'files.begin_run',
  `update files set status = 'processing', job_fence = $4, updated_at = now()
   where tenant_id = $1 and id = $2 and job_id = $3 and status <> 'uploading'
     and (job_fence < $4 or (job_fence = $4 and status = 'processing'))
   returning ${FILE_COLUMNS}, job_number, (
     select jsonb_build_object('file_id', c.file_id, 'connection_id', c.connection_id, 'path', c.path)
     from connection_files c where c.tenant_id = $1 and c.file_id = $2) as place`,
);
const lockRun = statement(
  'files.lock_run',
  `select ${FILE_COLUMNS} from files
   where tenant_id = $1 and id = $2 and job_id = $3 and job_fence = $4 and status = 'processing' for update`,
);
/** Bytes without an etag came through the gateway, which has told their hash. What no variant points to any more is removed once a run that has lost its lease can't write any more, either. */
const finish = statement(
  'files.finish_run',
  `with done as (
     update files set status = 'completed', updated_at = now(),
       sha256 = case when source_etag is null then sha256 else coalesce(sha256, $5) end
     where tenant_id = $1 and id = $2 and job_id = $3 and job_fence = $4 and status in ('processing', 'completed')
     returning ${FILE_COLUMNS}
   ), superseded as (
     insert into object_removals (tenant_id, file_id, reason, next_attempt_at)
     select tenant_id, id, 'superseded', now() + interval '15 minutes' from done
     where $4 > 1 or exists (select 1 from object_removals r
                             where r.tenant_id = $1 and r.file_id = $2 and r.reason = 'superseded')
     on conflict (tenant_id, file_id) do update set next_attempt_at = excluded.next_attempt_at
   )
   select ${FILE_COLUMNS} from done`,
);
const fail = statement(
  'files.fail_run',
  `update files set status = 'failed', updated_at = now()
   where tenant_id = $1 and id = $2 and job_id = $3 and job_fence <= $4 and status <> 'failed'`,
);

/** Nothing is known of bytes that neither came through the gateway nor were seen to arrive: such an upload has expired. */
const BYTES_UNSEEN = `sha256 is null and source_etag is null`;
const releaseFromJob = statement(
  'files.release_from_job',
  `update files set job_fence = $4, updated_at = now(),
     status = case when status = 'uploading' or (status = 'failed' and ${BYTES_UNSEEN}) then status else 'uploaded' end
   where tenant_id = $1 and id = $2 and job_id = $3 and job_fence < $4`,
);
const takeUpJob = statement(
  'files.take_up_job',
  `update files set job_fence = $4, status = 'processing', updated_at = now()
   where tenant_id = $1 and id = $2 and job_id = $3 and job_fence < $4`,
);
const arriveLate = statement(
  'files.arrive_late',
  `update files set size_bytes = $3, content_type = $4, source_etag = $5, updated_at = now()
   where tenant_id = $1 and id = $2 and status = 'failed' and ${BYTES_UNSEEN}
   returning ${FILE_COLUMNS}`,
);

const runValues = (run: Run) => [run.tenantId, run.fileId, run.jobId, run.fence];
const arrivalValues = ({ tenantId, fileId, sizeBytes, contentType, etag }: Arrival) => [
  tenantId,
  fileId,
  sizeBytes,
  contentType,
  etag,
];

export class FileStore {
  constructor(private readonly database: Database) {}

  find(tenantId: string, fileId: string): Promise<FileRow | null> {
    return first(this.database, find, [tenantId, fileId]);
  }

  /** Those of the ids that there are, in any order. */
  findMany(tenantId: string, fileIds: string[]): Promise<FileRow[]> {
    return this.database.query<FileRow>(findMany, [tenantId, fileIds]);
  }

  /** uploading → uploaded with what storage says; null when the file was not waiting. */
  markArrived(transaction: Queryable, arrival: Arrival): Promise<FileRow | null> {
    return first(transaction, arrive, arrivalValues(arrival));
  }

  /** What storage says of bytes that came after their upload had expired; null when the file is not such a one. */
  markArrivedLate(arrival: Arrival): Promise<FileRow | null> {
    return first(this.database, arriveLate, arrivalValues(arrival));
  }

  /** uploading → failed; null when the file was not waiting. */
  markExpired(transaction: Queryable, tenantId: string, fileId: string): Promise<FileRow | null> {
    return first(transaction, expire, [tenantId, fileId]);
  }

  /** uploading → failed, and its bytes are to be removed; null when the file was not waiting. */
  markRefused(transaction: Queryable, tenantId: string, fileId: string): Promise<FileRow | null> {
    return first(transaction, refuse, [tenantId, fileId]);
  }

  /** → processing under the run's fence; null when the file is gone, has no bytes, or belongs to a newer run, or this one has ended. */
  async beginRun(run: Run): Promise<BegunFile | null> {
    const [row] = await this.database.query<BegunFile>(begin, runValues(run));
    return row ?? null;
  }

  /** The file, locked, if `run` is its current one and has not ended. */
  lockRun(transaction: Queryable, run: Run): Promise<FileRow | null> {
    return first(transaction, lockRun, runValues(run));
  }

  /** `sha256`: of the bytes that the run has read; fills what is not known yet. */
  finishRun(run: Run, sha256: string | null): Promise<FileRow | null> {
    return first(this.database, finish, [...runValues(run), sha256]);
  }

  async failRun(transaction: Queryable, run: Run): Promise<void> {
    await transaction.query(fail, runValues(run));
  }

  /** → uploaded, or what it is while its bytes are missing; runs under a lower fence are refused from now on. */
  async releaseFromJob(on: Queryable, run: Run): Promise<void> {
    await on.query(releaseFromJob, runValues(run));
  }

  /** → processing; runs under a lower fence are refused from now on. */
  async takeUpJob(on: Queryable, run: Run): Promise<void> {
    await on.query(takeUpJob, runValues(run));
  }
}

async function first(on: Queryable, ...[statement, values]: Parameters<Queryable['query']>): Promise<FileRow | null> {
  const [row] = await on.query<FileRow>(statement, values);
  return row ?? null;
}
