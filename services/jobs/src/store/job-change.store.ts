// What a caller changes about a job. Each change is a compare-and-set of the status, and takes the next fence: whatever a run
// that began before it still writes is void, here and in the services that saw the fence.
import { statement, type Queryable } from '@kiln/platform';
import { logAttempt } from './attempt.rows.js';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';
import { enterEnded, enterQueue, leaveEnded, leaveQueue } from './stage.rows.js';
import { joinQueue } from './tenant-queue.store.js';

/** No run ends, and none begins, between this and the change; and the change sees what the last one wrote. */
const lock = statement(
  'job_changes.lock',
  'select status as was from jobs where tenant_id = $1 and id = $2 for update',
);
/** $3 is whether a run ends by it. */
const cancel = statement(
  'job_changes.cancel',
  `with cancelled as (
     update jobs set status = 'cancelled', fence = fence + 1, error = null, completed_at = now()
     where tenant_id = $1 and id = $2 and status in ('queued', 'processing')
     returning *
   ), attempt as (${logAttempt('cancelled', '(select * from cancelled where $3) as run')}
   ), dequeued as (${leaveQueue('cancelled')}
   ), filed as (${enterEnded('cancelled')})
   select ${JOB_COLUMNS} from cancelled`,
);
/** SQL: a retry is under the limit that it was asked for under; the one of before ended with the job. */
const DROP_OLD_RESERVATION = `delete from page_reservations r
     using (select completed_at from jobs where tenant_id = $1 and id = $2 and status = 'failed') old
     where r.tenant_id = $1 and r.job_id = $2 and r.reserved_at < old.completed_at`;
const retry = statement(
  'job_changes.retry',
  `with retried as (
     update jobs set status = 'queued', ready = true, fence = fence + 1, failures = 0, lost_leases = 0,
       attempts_before_retry = attempts, error = null, completed_at = null, run_after = now(), content_type = $3, provider = $4
     where tenant_id = $1 and id = $2 and status = 'failed'
     returning *
   ), stale as (${DROP_OLD_RESERVATION}
   ), taken_up as (${leaveEnded('retried', 'failed')}
   ), queued as (${enterQueue('retried')}
   ), ${joinQueue('exists (select 1 from retried)')}
   select ${JOB_COLUMNS} from retried`,
);

export interface Cancellation {
  /** The job's status before. */
  was: JobRow['status'];
  /** The job as it is now; null when it had ended before and is unchanged. */
  job: JobRow | null;
}

export class JobChangeStore {
  /** Null when there is no such job. */
  async cancel(transaction: Queryable, tenantId: string, jobId: string): Promise<Cancellation | null> {
    const [found] = await transaction.query<Pick<Cancellation, 'was'>>(lock, [tenantId, jobId]);
    if (!found) return null;
    const wasRunning = found.was === 'processing';
    const [job = null] = await transaction.query<JobRow>(cancel, [tenantId, jobId, wasRunning]);
    return { was: found.was, job };
  }

  /** failed → queued, with what is known of the file now; null when the job is not failed. */
  async retry(
    transaction: Queryable,
    { tenantId, jobId }: { tenantId: string; jobId: string },
    routing: { contentType: string | null; provider: JobRow['provider'] },
  ): Promise<JobRow | null> {
    const values = [tenantId, jobId, routing.contentType, routing.provider];
    const [job = null] = await transaction.query<JobRow>(retry, values);
    return job;
  }
}
