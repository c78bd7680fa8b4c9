// The list of jobs, newest first. Each status has a table of its own, in this order with and without the space, so that a page
// reads the rows it shows whatever share of a tenant's jobs the filters let through; of those that run now it reads all, which
// are few.
import { jobStatuses } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';
import { standing } from './stage.rows.js';

export interface JobListQuery {
  tenantId: string;
  space?: string | undefined;
  status?: JobRow['status'] | undefined;
  /** Keyset of the last row of the page before: time of creation and job id. */
  after?: readonly [createdAt: string, jobId: string] | undefined;
  limit: number;
}

/**
 * One range of an index for each status that may be there. What changes the plan stands in the text: a prepared statement
 * settles on one that is right for every tenant.
 */
export function listStatement({ tenantId, space, status, after, limit }: JobListQuery) {
  const values: unknown[] = [tenantId, limit];
  const name = ['job_list'];
  const conditions = ['s.tenant_id = $1'];
  if (space !== undefined) {
    name.push('space');
    conditions.push(`s.space = $${values.push(space)}`);
  }
  if (after) {
    name.push('after');
    const [createdAt, id] = [values.push(after[0]), values.push(after[1])];
    conditions.push(`(s.created_at, s.id) < ($${createdAt}::timestamptz(3), $${id}::uuid)`);
  }
  if (status !== undefined) name.push(status);
  const ranges = (status === undefined ? jobStatuses : [status]).map(
    (each) => `(select s.created_at, s.id from ${standing(each)} and ${conditions.join(' and ')}
      order by s.created_at desc, s.id desc limit $2::int)`,
  );
  const text = `with page as materialized (
      select created_at, id from (${ranges.join(' union all ')}) listed order by created_at desc, id desc limit $2::int)
    select j.* from page cross join lateral (
      select ${JOB_COLUMNS} from jobs where tenant_id = $1 and id = page.id limit 1) j
    order by page.created_at desc, page.id desc`;
  return { statement: statement(name.join('.'), text), values };
}

export class JobListStore {
  constructor(private readonly database: Queryable) {}

  /** The first `limit` jobs that match, newest first. */
  list(query: JobListQuery): Promise<JobRow[]> {
    const { statement, values } = listStatement(query);
    return this.database.query<JobRow>(statement, values);
  }
}
