// The facts that this service states when a job has ended.
import { encodeId, jobsEvents, type EventData, type JobError } from '@kiln/contracts';
import { newEvent, type NewEvent } from '@kiln/platform';
import type { ClaimedJob, JobRow } from './job.rows.js';

type Outcome = EventData<(typeof jobsEvents)['processingCompleted']>;

function outcome(job: Omit<ClaimedJob, 'lease_id'>, variants: Outcome['variants']): Outcome {
  return {
    file_id: encodeId('file', job.file_id),
    job_id: encodeId('job', job.id),
    space: job.space,
    filename: job.filename,
    content_type: job.content_type,
    provider: job.provider,
    variants,
    fence: job.fence,
  };
}

export function jobCompleted(job: Omit<ClaimedJob, 'lease_id'>, variants: Outcome['variants']): NewEvent {
  const data = outcome(job, variants);
  return newEvent({
    definition: jobsEvents.processingCompleted,
    tenantId: job.tenant_id,
    subject: data.file_id,
    data,
  });
}

/** Its file follows. */
function changed(definition: (typeof jobsEvents)['jobCancelled'], job: JobRow): NewEvent[] {
  const { file_id, job_id, fence } = outcome(job, []);
  return [newEvent({ definition, tenantId: job.tenant_id, subject: job_id, data: { job_id, file_id, fence } })];
}

export const jobCancelled = (job: JobRow) => changed(jobsEvents.jobCancelled, job);
export const jobRetried = (job: JobRow) => changed(jobsEvents.jobRetried, job);

export function jobFailed(job: JobRow, error: JobError): NewEvent[] {
  const { file_id, job_id } = outcome(job, []);
  const tenantId = job.tenant_id;
  return [
    newEvent({
      definition: jobsEvents.processingFailed,
      tenantId,
      subject: file_id,
      data: { ...outcome(job, []), error },
    }),
    newEvent({
      definition: jobsEvents.jobFailed,
      tenantId,
      subject: job_id,
      data: { job_id, file_id, attempts: job.attempts, error },
    }),
  ];
}
