// The events of this service about a file.
import { encodeId, filesEvents, type EventData, type JobError } from '@kiln/contracts';
import { newEvent, type NewEvent } from '@kiln/platform';
import { fileFact, fileLabels, type FileRow, type NewFile } from './file.rows.js';

export type JobRequest = EventData<typeof filesEvents.processingRequested>;

const subjectOf = (row: NewFile) => encodeId('file', row.id);

function fileCreated(row: NewFile, requestId: string): NewEvent {
  return newEvent({
    definition: filesEvents.fileCreated,
    tenantId: row.tenant_id,
    subject: subjectOf(row),
    requestId,
    data: { ...fileFact(row), ...fileLabels(row), size_bytes: row.size_bytes, status: row.status },
  });
}

/** The request to the jobs service, sent as an event or by a call. Null for a file without a job. */
export function jobRequest(row: NewFile): JobRequest | null {
  if (row.job_id === null) return null;
  return {
    ...fileFact(row),
    job_id: encodeId('job', row.job_id),
    size_bytes: row.size_bytes,
    batch_id: row.batch_id === null ? null : encodeId('batch', row.batch_id),
    ready: row.status !== 'uploading',
    processing: row.processing,
  };
}

/** Requests the file's job, ready once its bytes are in storage. Empty for a file that was uploaded with skip_processing. */
export function processingRequested(row: NewFile): NewEvent[] {
  const data = jobRequest(row);
  if (data === null) return [];
  const about = { tenantId: row.tenant_id, subject: subjectOf(row) };
  return [newEvent({ definition: filesEvents.processingRequested, ...about, data })];
}

/** The events of a new file. */
export function registered(file: NewFile, requestId: string): NewEvent[] {
  return [fileCreated(file, requestId), ...processingRequested(file)];
}

export function uploadFailed(row: FileRow, error: JobError): NewEvent {
  const { file_id, job_id } = fileFact(row);
  return newEvent({
    definition: filesEvents.uploadFailed,
    tenantId: row.tenant_id,
    subject: subjectOf(row),
    data: { file_id, job_id, ...fileLabels(row), error },
  });
}

/** Empty for a file that has had no job: no index was made of its content. */
export function fileReplaced(former: FileRow, jobNumber: number): NewEvent[] {
  if (jobNumber === 0) return [];
  return [
    newEvent({
      definition: filesEvents.fileReplaced,
      tenantId: former.tenant_id,
      subject: subjectOf(former),
      data: { file_id: encodeId('file', former.id), former_job_number: jobNumber },
    }),
  ];
}

export function fileUpdated(row: FileRow, requestId?: string): NewEvent {
  return newEvent({
    definition: filesEvents.fileUpdated,
    tenantId: row.tenant_id,
    subject: subjectOf(row),
    ...(requestId !== undefined && { requestId }),
    data: { ...fileFact(row), edits: row.edits },
  });
}

export function fileDeleted(row: FileRow, requestId?: string): NewEvent {
  return newEvent({
    definition: filesEvents.fileDeleted,
    tenantId: row.tenant_id,
    subject: subjectOf(row),
    ...(requestId !== undefined && { requestId }),
    data: {
      ...fileFact(row),
      ...fileLabels(row),
      size_bytes: row.size_bytes,
      created_at: row.created_at.toISOString(),
    },
  });
}
