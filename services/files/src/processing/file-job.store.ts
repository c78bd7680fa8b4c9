// Replaces the current job of a file by a newer one, or records that it has failed, was cancelled or was retried. A file refuses
// runs of older jobs by job id, and older runs of the same job by fencing token.
import { statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { BatchStore } from '../batches/batch.store.js';
import { BYTES_UNSEEN, FILE_COLUMNS, VISIBLE_FILES, type FileRow } from '../files/file.rows.js';
import type { SourceHead } from '../sources/source-head.domain.js';

/** The new job of a file, and its bytes as storage reports them. */
export interface NewJob extends SourceHead {
  fileId: string;
  jobId: string;
  sourceId: string | null;
}

/** One run of a file's job. */
export interface FileRun {
  tenantId: string;
  fileId: string;
  jobId: string;
  fence: number;
}

/**
 * Set-based. $1 tenant, $2 batch or null, $3 new jobs, $4 processing options. Bytes with a hash and no ETag came through the
 * gateway and cannot change. The owner of an external bucket may have replaced its bytes: then the ETag differs, and the hash is
 * not known yet. Other bytes that were replaced after they had arrived get no job. The statement locks rows in the order of their
 * ids, so that two batches cannot deadlock.
 */
const replaceJobs = statement(
  'file_jobs.replace',
  `with given as (
     select * from jsonb_to_recordset($3::jsonb) as g (id uuid, job_id uuid, size_bytes bigint, etag text, source_id uuid, replaceable boolean)
   ), locked as (
     select f.id, s.name from ${VISIBLE_FILES}
     where f.tenant_id = $1 and f.id = any(array(select id from given)) and f.status <> 'uploading'
     order by f.id for no key update of f
   )
   update files f
   set job_id = given.job_id, job_number = f.job_number + 1, job_fence = 0, batch_id = $2::uuid, status = 'processing', processing = $4,
       size_bytes = given.size_bytes,
       sha256 = case when f.source_etag is null or f.source_etag = given.etag then f.sha256 end,
       source_etag = case when f.source_etag is not null or f.sha256 is null then given.etag end, updated_at = now()
   from given join locked s using (id)
   where f.tenant_id = $1 and f.id = given.id and f.job_id is distinct from given.job_id
     and f.source_id is not distinct from given.source_id
     and (given.replaceable or f.source_etag is null or f.source_etag = given.etag)
   returning ${FILE_COLUMNS}`,
);
/** A fenced write: it changes nothing once a newer run or job has begun. */
const markFailed = statement(
  'file_jobs.mark_failed',
  `update files set status = 'failed', updated_at = now()
   where tenant_id = $1 and id = $2 and job_id = $3 and job_fence <= $4 and status <> 'failed'`,
);
/** A fenced write: it changes nothing if the file has a newer job, or knows this cancellation. */
const markCancelled = statement(
  'file_jobs.mark_cancelled',
  `update files set job_fence = $4, updated_at = now(),
     status = case when status = 'uploading' or (status = 'failed' and ${BYTES_UNSEEN}) then status else 'uploaded' end
   where tenant_id = $1 and id = $2 and job_id = $3 and job_fence < $4`,
);
/** A fenced write: it changes nothing if the file has a newer job, or knows this retry. */
const markRetried = statement(
  'file_jobs.mark_retried',
  `update files set job_fence = $4, status = 'processing', updated_at = now()
   where tenant_id = $1 and id = $2 and job_id = $3 and job_fence < $4`,
);

const runValues = (run: FileRun) => [run.tenantId, run.fileId, run.jobId, run.fence];

@Injectable()
export class FileJobStore {
  constructor(private readonly batches: BatchStore) {}

  /**
   * Adds the files that were given their new job to the batch, and returns them. It leaves out files that already had the job,
   * that were deleted, that have no bytes, whose bytes differ from the ones that arrived, or whose content was replaced meanwhile.
   */
  async replaceJobs(
    transaction: Queryable,
    { tenantId, batchId }: { tenantId: string; batchId: string | null },
    jobs: NewJob[],
    processing: FileRow['processing'],
  ): Promise<FileRow[]> {
    const rows = jobs.map(({ fileId, jobId, sourceId, sizeBytes, etag, isReplaceable }) => ({
      id: fileId,
      job_id: jobId,
      size_bytes: sizeBytes,
      etag,
      source_id: sourceId,
      replaceable: isReplaceable,
    }));
    const replaced = await transaction.query<FileRow>(replaceJobs, [
      tenantId,
      batchId,
      JSON.stringify(rows),
      processing,
    ]);
    const fileIds = replaced.map(({ id }) => id);
    if (batchId !== null) await this.batches.add(transaction, { tenantId, batchId }, fileIds);
    return replaced;
  }

  /** Sets the status to failed, unless a newer run or job has taken over. */
  async markFailed(transaction: Queryable, run: FileRun): Promise<void> {
    await transaction.query(markFailed, runValues(run));
  }

  /**
   * Sets the status to uploaded, or leaves it while the bytes are missing. From now on the file refuses runs under a lower fence.
   */
  async markCancelled(on: Queryable, run: FileRun): Promise<void> {
    await on.query(markCancelled, runValues(run));
  }

  /** Sets the status to processing. From now on the file refuses runs under a lower fence. */
  async markRetried(on: Queryable, run: FileRun): Promise<void> {
    await on.query(markRetried, runValues(run));
  }
}
