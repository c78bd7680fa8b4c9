// Gives files new jobs. The newest request wins: runs of older jobs are refused from then on. Outputs of older jobs stay readable
// until they are replaced.
import { CodedError, encodeId, uuidOf, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { appendEvents, Database } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { RemovalStore } from '../deletion/removal.store.js';
import { jobRequest, processingRequested, type JobRequest } from '../files/file.events.js';
import type { FileRow } from '../files/file.rows.js';
import { FileStore } from '../files/file.store.js';
import { SourceBytes } from '../sources/source-bytes.service.js';
import { areReplaced, REPLACED_BYTES, type SourceHead } from '../sources/source-head.domain.js';
import { ReceiveUpload } from '../uploads/receive-upload.usecase.js';
import { FileJobStore, type NewJob } from './file-job.store.js';

type Input = FilesInput<'processFiles'>;
type Output = FilesOutput<'processFiles'>;

@Injectable()
export class ProcessFiles {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly jobs: FileJobStore,
    private readonly receiveUpload: ReceiveUpload,
    private readonly sources: SourceBytes,
    private readonly removals: RemovalStore,
  ) {}

  async execute(input: Input, context: CallContext): Promise<Output> {
    const { tenantId } = context;
    const jobIds = new Map(input.files.map((file) => [uuidOf('file', file.file_id), uuidOf('job', file.job_id)]));
    const existing = await this.files.findMany(tenantId, [...jobIds.keys()]);
    const heads = await this.sources.heads(context, existing);
    const found = existing.filter(({ id }) => heads.has(id));
    for (const row of found) if (row.status === 'uploading') await this.receiveUpload.execute(tenantId, row.id);
    const refusals = new Map<string, Refusal>(existing.map(({ id }) => [id, withoutBytes]));
    const jobs: NewJob[] = [];
    for (const row of found) {
      const head = heads.get(row.id) as SourceHead;
      const message = await this.receiveLate(row, head);
      if (message === null)
        jobs.push({ fileId: row.id, jobId: jobIds.get(row.id) ?? '', sourceId: row.source_id, ...head });
      else refusals.set(row.id, { code: 'CONFLICT', message });
    }
    const rows = new Map((await this.replaceJobs(input, tenantId, jobs)).map((row) => [row.id, row]));
    return outcome([...jobIds.keys()], rows, refusals);
  }

  /** Records bytes that came after their upload had failed. Returns why the bytes of the file cannot be processed, or null. */
  private async receiveLate(row: FileRow, head: SourceHead): Promise<string | null> {
    if (areReplaced(row, head)) return REPLACED_BYTES;
    if (this.receiveUpload.isTooLarge(row, head)) return this.receiveUpload.tooLarge.message;
    try {
      await this.receiveUpload.receiveLate(row, head);
      return null;
    } catch (error) {
      if (error instanceof CodedError && error.code === 'CONFLICT') return error.message;
      throw error;
    }
  }

  /** Returns the files that have these jobs, from this call or an earlier one with the same ids. */
  private async replaceJobs(input: Input, tenantId: string, jobs: NewJob[]): Promise<FileRow[]> {
    const batch = { tenantId, batchId: input.batch_id === null ? null : uuidOf('batch', input.batch_id) };
    const changed = await this.database.transaction(async (transaction) => {
      const rows = await this.jobs.replaceJobs(transaction, batch, jobs, input.processing);
      await appendEvents(transaction, rows.flatMap(processingRequested));
      const fileIds = rows.map((row) => row.id);
      await this.removals.addSuperseded(transaction, tenantId, fileIds);
      return rows;
    });
    if (changed.length === jobs.length) return changed;
    const jobOf = new Map(jobs.map(({ fileId, jobId }) => [fileId, jobId]));
    const now = await this.files.findMany(tenantId, [...jobOf.keys()]);
    return now.filter((row) => row.job_id === jobOf.get(row.id));
  }
}

interface Refusal {
  code: 'CONFLICT' | 'NOT_FOUND';
  message: string;
}

const unknown: Refusal = { code: 'NOT_FOUND', message: 'No file has this id.' };
const withoutBytes: Refusal = {
  code: 'CONFLICT',
  message: 'The bytes of the file are not in storage. Upload them first.',
};

/** `refusals` gives the reason for each existing file without a job. */
function outcome(fileIds: string[], queued: Map<string, FileRow>, refusals: Map<string, Refusal>): Output {
  const jobs: JobRequest[] = [];
  const errors: Output['errors'] = [];
  for (const fileId of fileIds) {
    const row = queued.get(fileId);
    const request = row && jobRequest(row);
    if (request) jobs.push(request);
    else errors.push({ file_id: encodeId('file', fileId), ...(refusals.get(fileId) ?? unknown) });
  }
  return { jobs, errors };
}
