// Jobs as their owner sees them: made once by whichever of the direct call and the event comes first, and read.
import { uuidOf, type EventData, type JobError, type filesEvents } from '@kiln/contracts';
import { statement, type Database, type Queryable } from '@kiln/platform';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';

export type JobRequest = EventData<(typeof filesEvents)['processingRequested']>;

/** Changes a job that is there only from waiting to ready, so that requests may come twice and in any order. */
const upsert = statement(
  'jobs.upsert',
  `insert into jobs (tenant_id, id, file_id, space, filename, content_type, ready, processing, provider)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (tenant_id, id) do update
     set ready = true, content_type = excluded.content_type, provider = excluded.provider, run_after = now()
     where not jobs.ready and excluded.ready and jobs.status = 'queued'
   returning ${JOB_COLUMNS}`,
);
const find = statement('jobs.find', `select ${JOB_COLUMNS} from jobs where tenant_id = $1 and id = $2`);
const queueTenant = statement(
  'jobs.queue_tenant',
  `insert into waiting_tenants (tenant_id, due_at) values ($1, now())
   on conflict (tenant_id) do update set due_at = least(waiting_tenants.due_at, excluded.due_at)`,
);
const failWaiting = statement(
  'jobs.fail_waiting',
  `update jobs set status = 'failed', error = $3, completed_at = now()
   where tenant_id = $1 and id = $2 and status = 'queued' and not ready
   returning ${JOB_COLUMNS}`,
);

export class JobStore {
  constructor(private readonly database: Database) {}

  async find(on: Queryable, tenantId: string, jobId: string): Promise<JobRow | null> {
    const [row] = await on.query<JobRow>(find, [tenantId, jobId]);
    return row ?? null;
  }

  get(tenantId: string, jobId: string): Promise<JobRow | null> {
    return this.find(this.database, tenantId, jobId);
  }

  /** The new or newly ready job, or null when the request brought nothing new. */
  async upsert(
    transaction: Queryable,
    tenantId: string,
    request: JobRequest,
    provider: string | null,
  ): Promise<JobRow | null> {
    const [row] = await transaction.query<JobRow>(upsert, [
      tenantId,
      uuidOf('job', request.job_id),
      uuidOf('file', request.file_id),
      request.space,
      request.filename,
      request.content_type,
      request.ready,
      request.processing,
      provider,
    ]);
    if (row && request.ready) await transaction.query(queueTenant, [tenantId]);
    return row ?? null;
  }

  /** Ends a job whose bytes never came; null when it no longer waits for them. */
  async failWaiting(transaction: Queryable, tenantId: string, jobId: string, error: JobError): Promise<JobRow | null> {
    const [row] = await transaction.query<JobRow>(failWaiting, [tenantId, jobId, error]);
    return row ?? null;
  }
}
