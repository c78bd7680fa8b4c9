// Jobs as their owner sees them. How they are made is in job-batch.store.ts.
import { type EventData, type JobError, type filesEvents } from '@kiln/contracts';
import { statement, type Database, type Queryable } from '@kiln/platform';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';
import { enterEnded, leaveQueue } from './stage.rows.js';

export type JobState = Pick<JobRow, 'id' | 'status' | 'fence'>;

export type JobRequest = EventData<(typeof filesEvents)['processingRequested']>;

const find = statement('jobs.find', `select ${JOB_COLUMNS} from jobs where tenant_id = $1 and id = $2`);
const states = statement(
  'jobs.states',
  'select id, status, fence from jobs where tenant_id = $1 and id = any($2::uuid[])',
);
const failWaiting = statement(
  'jobs.fail_waiting',
  `with failed as (
     update jobs set status = 'failed', error = $3, completed_at = now()
     where tenant_id = $1 and id = $2 and status = 'queued' and not ready
     returning ${JOB_COLUMNS}
   ), dequeued as (${leaveQueue('failed')}
   ), filed as (${enterEnded('failed')})
   select * from failed`,
);

export class JobStore {
  constructor(private readonly database: Database) {}

  find(on: Queryable, tenantId: string, jobId: string): Promise<JobRow | null> {
    return first(on, find, [tenantId, jobId]);
  }

  get(tenantId: string, jobId: string): Promise<JobRow | null> {
    return this.find(this.database, tenantId, jobId);
  }

  /** Of those that there are. */
  states(tenantId: string, jobIds: readonly string[]): Promise<JobState[]> {
    return this.database.query<JobState>(states, [tenantId, jobIds]);
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
