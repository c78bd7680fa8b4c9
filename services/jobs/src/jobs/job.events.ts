// The events that this service emits when a job ends or is retried.
import { encodeId, jobsEvents, type FileLabels, type JobError, unknownLabels } from '@kiln/contracts';
import { newEvent, type NewEvent } from '@kiln/platform';
import type { RunOutcome } from '../runs/domain/run-outcome.js';
import type { ClaimedJob, JobRow } from './job.rows.js';

const fact = (
  job: Omit<ClaimedJob, 'is_limited' | 'traceparent'>,
  { contentType, provider, variants }: Omit<RunOutcome, 'labels'>,
) => ({
  file_id: encodeId('file', job.file_id),
  job_id: encodeId('job', job.id),
  space: job.space,
  filename: job.filename,
  content_type: contentType,
  provider,
  variants,
  fence: job.fence,
});

/** The data of a job that did not complete. Its row has what the last run reported. */
const factOfRow = (job: JobRow) => fact(job, { contentType: job.content_type, provider: job.provider, variants: [] });

export function jobCompleted(job: ClaimedJob, outcome: RunOutcome, durationMs: number): NewEvent {
  const data = { ...fact(job, outcome), ...outcome.labels, duration_ms: Math.round(durationMs) };
  return newEvent({
    definition: jobsEvents.processingCompleted,
    tenantId: job.tenant_id,
    subject: data.file_id,
    data,
  });
}

/** The file follows these events. */
function changed(definition: (typeof jobsEvents)['jobCancelled'], job: JobRow): NewEvent[] {
  const { file_id, job_id, fence } = factOfRow(job);
  return [newEvent({ definition, tenantId: job.tenant_id, subject: job_id, data: { job_id, file_id, fence } })];
}

export const jobCancelled = (job: JobRow) => changed(jobsEvents.jobCancelled, job);
export const jobRetried = (job: JobRow) => changed(jobsEvents.jobRetried, job);

/** `labels`: of the file, if they are known. */
export function jobFailed(job: JobRow, error: JobError, labels: FileLabels = unknownLabels): NewEvent[] {
  const data = factOfRow(job);
  const { file_id, job_id } = data;
  const tenantId = job.tenant_id;
  return [
    newEvent({
      definition: jobsEvents.processingFailed,
      tenantId,
      subject: file_id,
      data: { ...data, ...labels, error },
    }),
    newEvent({
      definition: jobsEvents.jobFailed,
      tenantId,
      subject: job_id,
      data: { job_id, file_id, attempts: job.attempts, error },
    }),
  ];
}
