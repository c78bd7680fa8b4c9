// Batches and their files. Each write for a batch is one statement, however many files it has.
import { statement, type Queryable } from '@kiln/platform';
import { FILE_COLUMNS, type FileRow } from './file.rows.js';

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
}

/** $1 tenant, $2 batch, $3 its files. */
const add = statement(
  'batches.add',
  `with batch as (
     insert into batches (tenant_id, id) values ($1, $2) on conflict do nothing
   )
   insert into batch_files (tenant_id, batch_id, file_id) select $1, $2, unnest($3::uuid[]) on conflict do nothing`,
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
   set job_id = given.job_id, job_number = f.job_number + 1, job_fence = 0, batch_id = $2::uuid, status = 'processing', processing = $4,
       size_bytes = given.size_bytes,
       sha256 = case when f.source_etag is null or f.source_etag = given.etag then f.sha256 end,
       source_etag = case when f.source_etag is not null or f.sha256 is null then given.etag end, updated_at = now()
   from given join locked using (id)
   where f.tenant_id = $1 and f.id = given.id and f.job_id is distinct from given.job_id
   returning ${FILE_COLUMNS.split(',')
     .map((column) => `f.${column.trim()}`)
     .join(', ')}`,
);
/** Nothing more happens to a file that is stored without processing. No row: no such batch. */
/** One statement: counts and files are of the same moment. */
const find = statement(
  'batches.find',
  `with listed as (
     select f.id, f.status
     from batch_files m join files f on f.tenant_id = m.tenant_id and f.id = m.file_id
     where m.tenant_id = $1 and m.batch_id = $2 order by m.file_id limit $3
   )
   select count(f.id)::int as total,
     count(*) filter (where f.status = 'completed' or (f.status = 'uploaded' and f.job_id is null))::int as completed,
     count(*) filter (where f.status = 'failed')::int as failed,
     coalesce((select jsonb_agg(listed order by id) from listed), '[]') as files
   from batches b
     left join batch_files m on m.tenant_id = b.tenant_id and m.batch_id = b.id
     left join files f on f.tenant_id = m.tenant_id and f.id = m.file_id
   where b.tenant_id = $1 and b.id = $2 group by b.id`,
);

export interface BatchProgress {
  total: number;
  completed: number;
  failed: number;
  files: BatchFileRow[];
}

export class BatchStore {
  constructor(private readonly database: Queryable) {}

  /** Makes the batch unless it is there, and these files its members. */
  async add(
    transaction: Queryable,
    { tenantId, batchId }: { tenantId: string; batchId: string },
    fileIds: string[],
  ): Promise<void> {
    await transaction.query(add, [tenantId, batchId, fileIds]);
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

  /** How far the batch is, with the first `filesMax` of its files; null when there is no such batch. */
  async find(tenantId: string, batchId: string, filesMax: number): Promise<BatchProgress | null> {
    const [row] = await this.database.query<BatchProgress>(find, [tenantId, batchId, filesMax]);
    return row ?? null;
  }
}
