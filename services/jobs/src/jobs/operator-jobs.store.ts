// Jobs of all tenants, for the operator: tenant by tenant, oldest first, a page at a time. Filters apply to a page after it was read, so the
// cost of a statement does not depend on them.
import type { JobError } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';
import type { JobRow } from './job.rows.js';

export interface OperatorJob {
  tenant_id: string;
  id: string;
  file_id: string;
  space: string;
  status: JobRow['status'];
  provider: JobRow['provider'];
  attempts: number;
  error: JobError | null;
  created_at: Date;
}

/** A missing field matches every job. */
export interface JobFilter {
  /** Null: all tenants. */
  tenantIds: readonly string[] | null;
  statuses: readonly JobRow['status'][];
  provider?: string | undefined;
  errorCode?: string | undefined;
  space?: string | undefined;
  /** Minimum age of a job. */
  ageSeconds: number;
}

export const PAGE_ROWS = 500;
const FIRST_TENANT = '00000000-0000-0000-0000-000000000000';

const nextTenant = statement(
  'operator_jobs.next_tenant',
  'select tenant_id from jobs where tenant_id > $1 order by tenant_id limit 1',
);
export const page = statement(
  'operator_jobs.page',
  `select tenant_id, id, file_id, space, status, provider, attempts, error, created_at from jobs
   where tenant_id = $1 and status = $2 and (created_at, id) > ($3::timestamptz(3), $4::uuid)
     and created_at <= now() - make_interval(secs => $5)
   order by created_at, id limit ${PAGE_ROWS}`,
);
const find = statement(
  'operator_jobs.find',
  `with recursive tenants as (
     (select tenant_id from jobs order by tenant_id limit 1)
     union all
     select (select j.tenant_id from jobs j where j.tenant_id > tenants.tenant_id order by j.tenant_id limit 1)
     from tenants where tenants.tenant_id is not null
   )
   select j.tenant_id, j.id, j.file_id, j.space, j.status, j.provider, j.attempts, j.error, j.created_at
   from tenants join jobs j on j.tenant_id = tenants.tenant_id and j.id = $1`,
);

export class OperatorJobStore {
  constructor(private readonly database: Queryable) {}

  /** Every job that matches, in batches. A job is returned as it is when its batch is read. */
  async *matching(filter: JobFilter): AsyncGenerator<OperatorJob[]> {
    for await (const tenantId of this.tenants(filter.tenantIds)) {
      for (const status of filter.statuses) {
        for await (const jobs of this.pages(tenantId, status, filter.ageSeconds)) {
          const found = jobs.filter((job) => isWanted(job, filter));
          if (found.length > 0) yield found;
        }
      }
    }
  }

  /** The job with this uuid, of any tenant. */
  async find(jobId: string): Promise<OperatorJob | null> {
    const [job] = await this.database.query<OperatorJob>(find, [jobId]);
    return job ?? null;
  }

  private async *tenants(chosen: readonly string[] | null): AsyncGenerator<string> {
    if (chosen) return yield* chosen;
    for (let last = FIRST_TENANT; ;) {
      const [row] = await this.database.query<{ tenant_id: string }>(nextTenant, [last]);
      if (!row) return;
      yield (last = row.tenant_id);
    }
  }

  private async *pages(tenantId: string, status: JobRow['status'], ageSeconds: number): AsyncGenerator<OperatorJob[]> {
    let after = ['-infinity', FIRST_TENANT];
    for (;;) {
      const jobs = await this.database.query<OperatorJob>(page, [tenantId, status, ...after, ageSeconds]);
      yield jobs;
      const last = jobs.at(-1);
      if (!last || jobs.length < PAGE_ROWS) return;
      after = [last.created_at.toISOString(), last.id];
    }
  }
}

function isWanted(job: OperatorJob, { provider, errorCode, space }: JobFilter): boolean {
  return (
    (provider === undefined || job.provider === provider) &&
    (errorCode === undefined || job.error?.code === errorCode) &&
    (space === undefined || job.space === space)
  );
}
