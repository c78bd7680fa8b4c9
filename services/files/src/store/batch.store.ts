// Batches and their files. What is written for a batch is one statement, however many files it has.
import { statement, type Queryable } from '@kiln/platform';
import { foldName } from '../domain/search-terms.js';
import { FILE_COLUMNS, type FileRow } from './file.rows.js';
import type { NewFile } from './file.store.js';

/** The file's new job, and its size as storage tells it. */
export interface NewJob {
  fileId: string;
  jobId: string;
  sizeBytes: number;
  etag: string;
}

export interface BatchFileRow {
  id: string;
  status: FileRow['status'];
  job_id: string | null;
}

/** $1 tenant, $2 batch, $3 files, $4 seconds that their URLs live. Files that are there already are left alone. */
const insertUploads = statement(
  'batches.insert_uploads',
  `with batch as (
     insert into batches (tenant_id, id) values ($1, $2) on conflict do nothing
   ), given as (
     select * from jsonb_to_recordset($3::jsonb) as g (
       id uuid, job_id uuid, space text, filename text, content_type text, size_bytes bigint, metadata jsonb,
       processing jsonb, name text)
   ), added as (
     insert into files
       (tenant_id, id, job_id, batch_id, space, filename, content_type, size_bytes, status, metadata, processing)
     select $1, id, job_id, $2, space, filename, content_type, size_bytes, 'uploading', metadata, processing from given
     on conflict (tenant_id, id) do nothing
     returning ${FILE_COLUMNS}
   ), terms as (
     insert into file_terms (tenant_id, file_id, name)
     select $1, added.id, given.name from added join given using (id)
   ), pending as (
     insert into pending_uploads (tenant_id, file_id, expires_at, next_check_at)
     select $1, id, now() + make_interval(secs => $4), now() + interval '2 seconds' from added
   ), members as (
     insert into batch_files (tenant_id, batch_id, file_id) select $1, $2, id from added
   )
   select ${FILE_COLUMNS} from added`,
);
/**
 * $1 tenant, $2 batch or null, $3 new jobs, $4 how to process. Bytes with a hash and no etag came through the gateway, and stay;
 * others may have been replaced, and then have another etag and no hash yet. Rows are locked in the order of ids: two batches never wait for each other.
 */
const replaceJobs = statement(
  'batches.replace_jobs',
  `with given as (
     select * from jsonb_to_recordset($3::jsonb) as g (id uuid, job_id uuid, size_bytes bigint, etag text)
   ), locked as (
     select id from files where tenant_id = $1 and id in (select id from given) and status <> 'uploading'
     order by id for no key update
   ), batch as (
     insert into batches (tenant_id, id) select $1, $2::uuid where $2::uuid is not null on conflict do nothing
   ), members as (
     insert into batch_files (tenant_id, batch_id, file_id) select $1, $2::uuid, id from locked
     where $2::uuid is not null on conflict do nothing
   )
   update files f
   set job_id = given.job_id, job_fence = 0, batch_id = $2::uuid, status = 'processing', processing = $4,
       size_bytes = given.size_bytes,
       sha256 = case when f.source_etag is null or f.source_etag = given.etag then f.sha256 end,
       source_etag = case when f.source_etag is not null or f.sha256 is null then given.etag end, updated_at = now()
   from given join locked using (id)
   where f.tenant_id = $1 and f.id = given.id and f.job_id is distinct from given.job_id
   returning ${FILE_COLUMNS.split(',')
     .map((column) => `f.${column.trim()}`)
     .join(', ')}`,
);
/** One row without an id when the batch has no file (any more). */
const read = statement(
  'batches.read',
  `select f.id, f.status, f.job_id
   from batches b
     left join batch_files m on m.tenant_id = b.tenant_id and m.batch_id = b.id
     left join files f on f.tenant_id = m.tenant_id and f.id = m.file_id
   where b.tenant_id = $1 and b.id = $2 order by f.id`,
);

export class BatchStore {
  constructor(private readonly database: Queryable) {}

  /** The files that were not there before. */
  insertUploads(
    transaction: Queryable,
    { tenantId, batchId }: { tenantId: string; batchId: string },
    files: NewFile[],
    lifetimeSeconds: number,
  ): Promise<FileRow[]> {
    const rows = files.map((file) => ({
      id: file.id,
      job_id: file.jobId,
      space: file.space,
      filename: file.filename,
      content_type: file.contentType,
      size_bytes: file.sizeBytes,
      metadata: file.metadata,
      processing: file.processing,
      name: foldName(file.filename),
    }));
    return transaction.query<FileRow>(insertUploads, [tenantId, batchId, JSON.stringify(rows), lifetimeSeconds]);
  }

  /** The files that have their new job now: not those that have it already, are gone, or whose bytes are missing. */
  replaceJobs(
    transaction: Queryable,
    { tenantId, batchId }: { tenantId: string; batchId: string | null },
    jobs: NewJob[],
    processing: FileRow['processing'],
  ): Promise<FileRow[]> {
    const rows = jobs.map(({ fileId, jobId, sizeBytes, etag }) => ({
      id: fileId,
      job_id: jobId,
      size_bytes: sizeBytes,
      etag,
    }));
    return transaction.query<FileRow>(replaceJobs, [tenantId, batchId, JSON.stringify(rows), processing]);
  }

  /** The batch's files; null when there is no such batch. */
  async files(tenantId: string, batchId: string): Promise<BatchFileRow[] | null> {
    const rows = await this.database.query<BatchFileRow | { id: null }>(read, [tenantId, batchId]);
    return rows.length === 0 ? null : rows.filter((row): row is BatchFileRow => row.id !== null);
  }
}
