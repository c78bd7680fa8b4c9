// Runs that may make nothing findable any more, since their job was cancelled. A refusal and the last moments of an index
// transaction exclude each other: once a run is refused its index is either there already, or never will be.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { Run } from '../domain/run.js';

/** Held from the look at the refusals to the commit. $1 file. */
export const lockRefusals = statement(
  'search.lock_refusals',
  'select pg_advisory_xact_lock_shared(hashtextextended($1::text, 0))',
);
const lockAlone = statement(
  'search.lock_refusals_alone',
  'select pg_advisory_xact_lock(hashtextextended($1::text, 0))',
);
const refuse = statement(
  'search.refuse_runs',
  `insert into refused_run as r (tenant_id, file_id, job_id, fence) values ($1, $2, $3, $4)
   on conflict (tenant_id, file_id, job_id) do update set fence = greatest(r.fence, excluded.fence)`,
);
const forget = statement(
  'search.forget_refused_runs',
  `delete from refused_run where (tenant_id, file_id, job_id) in
     (select tenant_id, file_id, job_id from refused_run where refused_at < now() - interval '1 day'
      order by refused_at limit $1)`,
);

type Refusal = Pick<Run, 'jobId' | 'fence'>;

@Injectable()
export class RefusedRunStore {
  constructor(private readonly database: Database) {}

  /** From the end of `transaction` on, runs of the job under a lower fence than `run.fence` are refused. */
  async refuse(transaction: Queryable, tenantId: string, fileId: string, run: Refusal): Promise<void> {
    await transaction.query(lockAlone, [fileId]);
    await transaction.query(refuse, [tenantId, fileId, run.jobId, run.fence]);
  }

  /** Lets go of runs that ended long ago. */
  async forget(limit: number): Promise<void> {
    await this.database.query(forget, [limit]);
  }
}
