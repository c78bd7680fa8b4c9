// Jobs as their owner sees them: made once by whichever of the direct call and the event comes first, and read.
import { uuidOf, type EventData, type JobError, type filesEvents } from '@kiln/contracts';
import { statement, type Database, type Queryable } from '@kiln/platform';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';
import type { TenantQueueStore } from './tenant-queue.store.js';

export type JobRequest = EventData<(typeof filesEvents)['processingRequested']>;

const insert = statement(
  'jobs.insert',
  `insert into jobs (tenant_id, id, file_id, space, filename, content_type, ready, processing, provider, batch_id)
   select $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7::boolean, $8::jsonb, $9, $10::uuid
   where not exists (select 1 from deleted_files where tenant_id = $1 and file_id = $3)
   on conflict (tenant_id, id) do nothing
   returning ${JOB_COLUMNS}`,
);
/** A statement of its own: as part of `insert` it would lock jobs that it leaves alone, which claims then pass over. */
const makeReady = statement(
  'jobs.make_ready',
  `update jobs set ready = true, content_type = $3, provider = $4, run_after = now()
   where tenant_id = $1 and id = $2 and not ready and status = 'queued'
   returning ${JOB_COLUMNS}`,
);
const find = statement('jobs.find', `select ${JOB_COLUMNS} from jobs where tenant_id = $1 and id = $2`);
const failWaiting = statement(
  'jobs.fail_waiting',
  `update jobs set status = 'failed', error = $3, completed_at = now()
   where tenant_id = $1 and id = $2 and status = 'queued' and not ready
   returning ${JOB_COLUMNS}`,
);

export class JobStore {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantQueueStore,
  ) {}

  find(on: Queryable, tenantId: string, jobId: string): Promise<JobRow | null> {
    return first(on, find, [tenantId, jobId]);
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
    const jobId = uuidOf('job', request.job_id);
    const { content_type: contentType, ready } = request;
    const made = await first(transaction, insert, [
      tenantId,
      jobId,
      uuidOf('file', request.file_id),
      request.space,
      request.filename,
      contentType,
      ready,
      request.processing,
      provider,
      request.batch_id === null ? null : uuidOf('batch', request.batch_id),
    ]);
    if (!ready) return made;
    const row = made ?? (await first(transaction, makeReady, [tenantId, jobId, contentType, provider]));
    if (row) await this.tenants.join(transaction, tenantId);
    return row;
  }

  /** Ends a job whose bytes never came; null when it no longer waits for them. */
  failWaiting(transaction: Queryable, tenantId: string, jobId: string, error: JobError): Promise<JobRow | null> {
    return first(transaction, failWaiting, [tenantId, jobId, error]);
  }
}

async function first(on: Queryable, ...[statement, values]: Parameters<Queryable['query']>): Promise<JobRow | null> {
  const [row] = await on.query<JobRow>(statement, values);
  return row ?? null;
}
