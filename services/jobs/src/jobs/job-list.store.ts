// The list of jobs, newest first. One index has the jobs of each status in this order, another has the jobs of each space and status. A page reads
// only the rows that it returns, however few of a tenant's jobs match the filters.
import { jobStatuses } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';

export interface JobListQuery {
  tenantId: string;
  space?: string | undefined;
  status?: JobRow['status'] | undefined;
  /** Keyset of the last row of the previous page: creation time and job id. */
  after?: readonly [createdAt: string, jobId: string] | undefined;
  limit: number;
}

/**
 * One index range for each status. Whatever changes the plan is part of the text, so that the generic plan of the prepared statement is
 * right for every tenant.
 */
export function listStatement({ tenantId, space, status, after, limit }: JobListQuery) {
  const values: unknown[] = [tenantId, limit];
  const name = ['job_list'];
  const conditions = ['tenant_id = $1'];
  if (space !== undefined) {
    name.push('space');
    conditions.push(`space = $${values.push(space)}`);
  }
  if (after) {
    name.push('after');
    const [createdAt, id] = [values.push(after[0]), values.push(after[1])];
    conditions.push(`(created_at, id) < ($${createdAt}::timestamptz(3), $${id}::uuid)`);
  }
  if (status !== undefined) name.push(status);
  const order = 'order by created_at desc, id desc limit $2::int';
  const ranges = (status === undefined ? jobStatuses : [status]).map(
    (each) => `(select ${JOB_COLUMNS} from jobs where status = '${each}' and ${conditions.join(' and ')} ${order})`,
  );
  const text = `select * from (${ranges.join(' union all ')}) listed ${order}`;
  return { statement: statement(name.join('.'), text), values };
}

@Injectable()
export class JobListStore {
  constructor(private readonly database: Database) {}

  /** The first `limit` jobs that match, newest first. */
  list(query: JobListQuery): Promise<JobRow[]> {
    const { statement, values } = listStatement(query);
    return this.database.query<JobRow>(statement, values);
  }
}
