// The columns of a job that statements read, and how a job looks in the contracts.
import { encodeId, formatTimestamp, type JobsOutput } from '@kiln/contracts';
import type { JobEntity } from './job.entity.js';

type Job = JobsOutput<'listJobs'>['jobs'][number];

const COLUMNS = [
  'tenant_id',
  'id',
  'file_id',
  'space',
  'filename',
  'content_type',
  'status',
  'processing',
  'provider',
  'step',
  'progress',
  'attempts',
  'failures',
  'attempts_before_retry',
  'fence',
  'error',
  'batch_id',
  'created_at',
  'started_at',
  'completed_at',
] as const satisfies readonly (keyof JobEntity)[];

export type JobRow = Pick<JobEntity, (typeof COLUMNS)[number]>;

/** The fields of a job that its run needs. */
export type ClaimedJob = Pick<
  JobEntity,
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
  | 'traceparent'
> & {
  /** Pages are reserved for the job: it was accepted under a plan with a hard limit. */
  is_limited: boolean;
};

export const JOB_COLUMNS = COLUMNS.join(', ');

/** The same columns, qualified by the alias of their table. */
export const jobColumns = (alias: string) => COLUMNS.map((column) => `${alias}.${column}`).join(', ');

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
    completed_at: row.status === 'completed' ? timestamp(row.completed_at) : null,
    ended_at: timestamp(row.completed_at),
  };
}
