// The facts that this service states when a job has ended.
import { encodeId, jobsEvents, type JobError } from '@kiln/contracts';
import { newEvent, type NewEvent } from '@kiln/platform';
import type { RunOutcome } from '../domain/run-outcome.js';
import type { ClaimedJob, JobRow } from './job.rows.js';

type Ended = Omit<ClaimedJob, 'lease_id'>;

const fact = (job: Ended, { contentType, provider, variants }: RunOutcome) => ({
  file_id: encodeId('file', job.file_id),
  job_id: encodeId('job', job.id),
  space: job.space,
  filename: job.filename,
  content_type: contentType,
  provider,
  variants,
  fence: job.fence,
});

/** What is known of a job without a run that did its work: its row has what the last run reported. */
const factOfRow = (job: JobRow) => fact(job, { contentType: job.content_type, provider: job.provider, variants: [] });

/** However the end of the run is written down. */
export function jobCompleted(job: Ended, outcome: RunOutcome): NewEvent {
  const data = fact(job, outcome);
  return newEvent({
    definition: jobsEvents.processingCompleted,
    tenantId: job.tenant_id,
    subject: data.file_id,
    data,
  });
}

/** Its file follows. */
function changed(definition: (typeof jobsEvents)['jobCancelled'], job: JobRow): NewEvent[] {
  const { file_id, job_id, fence } = factOfRow(job);
  return [newEvent({ definition, tenantId: job.tenant_id, subject: job_id, data: { job_id, file_id, fence } })];
}

export const jobCancelled = (job: JobRow) => changed(jobsEvents.jobCancelled, job);
export const jobRetried = (job: JobRow) => changed(jobsEvents.jobRetried, job);

export function jobFailed(job: JobRow, error: JobError): NewEvent[] {
  const data = factOfRow(job);
  const { file_id, job_id } = data;
  const tenantId = job.tenant_id;
  return [
    newEvent({
      definition: jobsEvents.processingFailed,
      tenantId,
      subject: file_id,
      data: { ...data, error },
    }),
    newEvent({
      definition: jobsEvents.jobFailed,
      tenantId,
      subject: job_id,
      data: { job_id, file_id, attempts: job.attempts, error },
    }),
  ];
}
