// Refuses runs of a cancelled job. A refusal and the end of an index transaction lock each other out: once a run is refused, its index
// is either committed already or never will be.
//
// A refusal also ensures that its file has a row. A writer of new files inserts the same key. Either it commits before the refusal
// does, or it finds the row and leaves the file to IndexStore, which checks the refusals.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { Run } from '../indexing/run.domain.js';
import { registerFile } from '../text-index/index.statements.js';

/** A lock that is taken before the refusals are checked, and held until the commit. $1 file. */
export const lockRefusals = statement(
  'search.lock_refusals',
  'select pg_advisory_xact_lock_shared(hashtextextended($1::text, 0))',
);
/** The same lock for a refusal, exclusive. */
const lockRefusalsExclusively = statement(
  'search.lock_refusals_exclusively',
  'select pg_advisory_xact_lock(hashtextextended($1::text, 0))',
);
/** An upsert that keeps the higher fence. */
const refuse = statement(
  'search.refuse_runs',
  `insert into run_fences as r (tenant_id, file_id, job_id, fence) values ($1, $2, $3, $4)
   on conflict (tenant_id, file_id, job_id) do update set fence = greatest(r.fence, excluded.fence)`,
);
/** Set-based: a batch of the oldest refusals. */
const deleteExpired = statement(
  'search.delete_expired_refusals',
  `delete from run_fences where (tenant_id, file_id, job_id) in
     (select tenant_id, file_id, job_id from run_fences where fenced_at < now() - interval '1 day'
      order by fenced_at limit $1)`,
);

type Refusal = Pick<Run, 'jobId' | 'fence'>;

@Injectable()
export class RunFenceStore {
  constructor(private readonly database: Database) {}

  /** Once `transaction` commits, runs of the job with a lower fence than `run.fence` are refused. */
  async refuse(transaction: Queryable, tenantId: string, fileId: string, run: Refusal): Promise<void> {
    await transaction.query(lockRefusalsExclusively, [fileId]);
    await transaction.query(refuse, [tenantId, fileId, run.jobId, run.fence]);
    await transaction.query(registerFile, [tenantId, fileId]);
  }

  /** Deletes refusals of runs that must have ended: a refusal is needed for a day. */
  async deleteExpired(limit: number): Promise<void> {
    await this.database.query(deleteExpired, [limit]);
  }
}
