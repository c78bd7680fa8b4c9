// Cancels and retries jobs. Each is a compare-and-set of the status that raises the fencing token: later writes of an earlier run change
// nothing, here and in the services that have seen the new token.
import { statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { Lane } from '../claims/lane.domain.js';
import { cancel, cancelledJob, type CancelledRow } from '../leases/cancel.statement.js';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';
import { joinQueue } from '../claims/tenant-queue.rows.js';

/** SQL: a retry has its own page reservation. The earlier one ended with the job. */
const DROP_OLD_RESERVATION = `delete from page_reservations r
     using (select completed_at from jobs where tenant_id = $1 and id = $2 and status = 'failed') old
     where r.tenant_id = $1 and r.job_id = $2 and r.reserved_at < old.completed_at`;
const retry = statement(
  'job_changes.retry',
  `with retried as (
     update jobs set status = 'queued', ready = true, fence = fence + 1, failures = 0, lost_leases = 0,
       attempts_before_retry = attempts, error = null, completed_at = null, due_at = now(), content_type = $3, provider = $4, lane = $5
     where tenant_id = $1 and id = $2 and status = 'failed'
     returning ${JOB_COLUMNS}, lane
   ), stale as (${DROP_OLD_RESERVATION}
   ), ${joinQueue('retried')}
   select * from retried`,
);

export interface Cancellation {
  /** The status before the change. */
  was: JobRow['status'];
  /** The cancelled job. Null when it had already ended and is unchanged. */
  job: JobRow | null;
}

@Injectable()
export class JobChangeStore {
  /** Null when the job does not exist. */
  async cancel(transaction: Queryable, tenantId: string, jobId: string): Promise<Cancellation | null> {
    const [found] = await transaction.query<CancelledRow>(cancel, [tenantId, jobId, null, null]);
    return found ? { was: found.was, job: cancelledJob(found) } : null;
  }

  /** Queues a failed job again, routed by what is now known about its file. Null when the job is not failed. */
  async retry(
    transaction: Queryable,
    { tenantId, jobId }: { tenantId: string; jobId: string },
    routing: { contentType: string | null; provider: JobRow['provider']; lane: Lane },
  ): Promise<JobRow | null> {
    const values = [tenantId, jobId, routing.contentType, routing.provider, routing.lane];
    const [job = null] = await transaction.query<JobRow>(retry, values);
    return job;
  }
}
