// Reads single jobs. job-batch.store.ts creates them.
import { type EventData, type JobError, type filesEvents } from '@kiln/contracts';
import { Database, statement, type Queryable, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { JobEntity } from './job.entity.js';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';

export type JobState = Pick<JobRow, 'id' | 'status' | 'fence'>;

export type JobRequest = EventData<(typeof filesEvents)['processingRequested']>;

const states = statement(
  'jobs.states',
  'select id, status, fence from jobs where tenant_id = $1 and id = any($2::uuid[])',
);
const counts = statement(
  'jobs.counts',
  `select status, sum(jobs)::bigint as jobs from (
     select status, count(*) as jobs from jobs where tenant_id = $1 group by status
     union all
     select status, jobs from superseded_jobs where tenant_id = $1) counted
   group by status`,
);
const failWaiting = statement(
  'jobs.fail_waiting',
  `update jobs set status = 'failed', error = $3, completed_at = now()
   where tenant_id = $1 and id = $2 and status = 'queued' and not ready
   returning ${JOB_COLUMNS}`,
);
/** The event of an edit changes only jobs that exist, and writes the number of the edit. */
const rename = statement(
  'jobs.rename',
  'update jobs set space = $3, filename = $4 where tenant_id = $1 and id = $2 and file_edits = 0',
);

@Injectable()
export class JobStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(JobEntity) private readonly jobs: Repository<JobEntity>,
  ) {}

  get(tenantId: string, jobId: string): Promise<JobEntity | null> {
    return this.jobs.findOneBy({ tenant_id: tenantId, id: jobId });
  }

  exists({ manager }: Transaction, tenantId: string, jobId: string): Promise<boolean> {
    return manager.existsBy(JobEntity, { tenant_id: tenantId, id: jobId });
  }

  /** Returns the states of those of these jobs that exist. */
  states(tenantId: string, jobIds: readonly string[]): Promise<JobState[]> {
    return this.database.query<JobState>(states, [tenantId, jobIds]);
  }

  /** Counts the jobs of each status, with those that retention has deleted. Leaves out statuses without jobs. */
  counts(tenantId: string): Promise<{ status: JobRow['status']; jobs: number }[]> {
    return this.database.query(counts, [tenantId]);
  }

  /** Writes the space and the name that the file has, for a job that was created after the event of its file's edit. */
  async rename({
    tenant_id,
    id,
    space,
    filename,
  }: Pick<JobRow, 'tenant_id' | 'id' | 'space' | 'filename'>): Promise<void> {
    await this.database.query(rename, [tenant_id, id, space, filename]);
  }

  /** Fails a job whose bytes never arrived. Null when the job no longer waits for them. */
  async failWaiting(transaction: Queryable, tenantId: string, jobId: string, error: JobError): Promise<JobRow | null> {
    const [row] = await transaction.query<JobRow>(failWaiting, [tenantId, jobId, error]);
    return row ?? null;
  }
}
