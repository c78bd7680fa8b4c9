// Rows of the jobs schema, and how they look in the contracts.
import {
  encodeId,
  formatTimestamp,
  type EventData,
  type JobError,
  type OperationOutput,
  type filesEvents,
  type jobsOperations,
} from '@kiln/contracts';

type Job = OperationOutput<(typeof jobsOperations)['listJobs']>['jobs'][number];
type JobRequest = EventData<(typeof filesEvents)['processingRequested']>;

export interface JobRow {
  tenant_id: string;
  id: string;
  file_id: string;
  space: string;
  filename: string;
  content_type: string | null;
  status: Job['status'];
  processing: JobRequest['processing'];
  provider: Job['provider'];
  step: Job['step'];
  progress: number;
  attempts: number;
  failures: number;
  /** Of the attempts, those that no limit counts: before a caller last retried the job, and those that found a provider busy. */
  attempts_before_retry: number;
  fence: number;
  error: JobError | null;
  batch_id: string | null;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
}

/** What a run knows of its job. */
export type ClaimedJob = Pick<
  JobRow,
  | 'tenant_id'
  | 'id'
  | 'file_id'
  | 'space'
  | 'filename'
  | 'content_type'
  | 'processing'
  | 'provider'
  | 'attempts'
  | 'failures'
  | 'attempts_before_retry'
  | 'fence'
> & {
  /** Of what its worker took of the tenant at once. */
  lease_id: string;
};

export const JOB_COLUMNS = `tenant_id, id, file_id, space, filename, content_type, status, processing, provider, step,
  progress, attempts, failures, attempts_before_retry, fence, error, batch_id, created_at, started_at, completed_at`;

/** The same, each with the name of its table. */
export const jobColumns = (alias: string) =>
  JOB_COLUMNS.split(',')
    .map((column) => `${alias}.${column.trim()}`)
    .join(', ');

const timestamp = (date: Date | null) => (date === null ? null : formatTimestamp(date));

export function jobView(row: JobRow): Job {
  return {
    id: encodeId('job', row.id),
    file_id: encodeId('file', row.file_id),
    space: row.space,
    status: row.status,
    provider: row.provider,
    step: row.step,
    progress: row.progress,
    attempts: row.attempts,
    error: row.error,
    batch_id: row.batch_id === null ? null : encodeId('batch', row.batch_id),
    created_at: formatTimestamp(row.created_at),
    started_at: timestamp(row.started_at),
    completed_at: timestamp(row.completed_at),
  };
}
