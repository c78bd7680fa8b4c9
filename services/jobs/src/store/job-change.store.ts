// What a caller changes about a job. Each change is a compare-and-set of the status, and takes the next fence: whatever a run
// that began before it still writes is void, here and in the services that saw the fence.
import { statement, type Queryable } from '@kiln/platform';
import { logAttempt } from './attempt.rows.js';
import { JOB_COLUMNS, jobColumns, type JobRow } from './job.rows.js';
import type { TenantQueueStore } from './tenant-queue.store.js';

/** The status is judged once the row is locked: no run ends, and none begins, between the look and the change. */
const cancel = statement(
  'job_changes.cancel',
  `with found as materialized (
     select tenant_id, id, status as was from jobs where tenant_id = $1 and id = $2 for update
   ), cancelled as (
     update jobs j set status = 'cancelled', fence = j.fence + 1, error = null, completed_at = now(),
       lease_expires_at = null, worker_id = null
     from found
     where j.tenant_id = found.tenant_id and j.id = found.id and found.was in ('queued', 'processing')
     returning j.*, found.was
   ), attempt as (${logAttempt('cancelled', "(select * from cancelled where was = 'processing') as run")}
   )
   select found.was, ${jobColumns('cancelled')} from found left join cancelled on true`,
);
const retry = statement(
  'job_changes.retry',
  `update jobs set status = 'queued', ready = true, fence = fence + 1, failures = 0, lost_leases = 0,
     attempts_before_retry = attempts, error = null, completed_at = null, run_after = now(), content_type = $3, provider = $4
   where tenant_id = $1 and id = $2 and status = 'failed'
   returning ${JOB_COLUMNS}`,
);

export interface Cancellation {
  /** The job's status before. */
  was: JobRow['status'];
  /** The job as it is now; null when it had ended before and is unchanged. */
  job: JobRow | null;
}

export class JobChangeStore {
  constructor(private readonly tenants: TenantQueueStore) {}

  /** Null when there is no such job. */
  async cancel(transaction: Queryable, tenantId: string, jobId: string): Promise<Cancellation | null> {
    type Answer = { was: JobRow['status'] } & ({ id: null } | JobRow);
    const [answer] = await transaction.query<Answer>(cancel, [tenantId, jobId]);
    if (!answer) return null;
    const { was, ...job } = answer;
    return { was, job: job.id === null ? null : job };
  }

  /** failed → queued, with what is known of the file now; null when the job is not failed. */
  async retry(
    transaction: Queryable,
    { tenantId, jobId }: { tenantId: string; jobId: string },
    routing: { contentType: string | null; provider: JobRow['provider'] },
  ): Promise<JobRow | null> {
    const values = [tenantId, jobId, routing.contentType, routing.provider];
    const [job] = await transaction.query<JobRow>(retry, values);
    if (!job) return null;
    await this.tenants.join(transaction, tenantId);
    return job;
  }
}
