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
  fileId?: string | undefined;
  batchId?: string | undefined;
  /** ISO 8601. */
  since?: string | undefined;
  /** Keyset of the last row of the previous page: creation time and job id. */
  after?: readonly [createdAt: string, jobId: string] | undefined;
  limit: number;
}

/** The columns of filters. The rows of a file or a batch are found by its own index. */
const FILTERS = [
  ['fileId', 'file_id = $::uuid'],
  ['batchId', 'batch_id = $::uuid'],
  ['space', 'space = $'],
  ['since', 'created_at >= $::timestamptz(3)'],
] as const;

/**
 * One index range for each status, or the range of a file or a batch. Whatever changes the plan is part of the text, so that the generic plan
 * of the prepared statement is right for every tenant.
 */
export function listStatement(query: JobListQuery) {
  const { tenantId, status, after, limit, fileId, batchId } = query;
  const values: unknown[] = [tenantId, limit];
  const name = ['job_list'];
  const conditions = ['tenant_id = $1'];
  for (const [filter, condition] of FILTERS) {
    if (query[filter] === undefined) continue;
    name.push(filter);
    conditions.push(condition.replace('$', `$${values.push(query[filter])}`));
  }
  if (after) {
    name.push('after');
    const [createdAt, id] = [values.push(after[0]), values.push(after[1])];
    conditions.push(`(created_at, id) < ($${createdAt}::timestamptz(3), $${id}::uuid)`);
  }
  if (status !== undefined) name.push(status);
  const order = 'order by created_at desc, id desc limit $2::int';
  const listed = (condition: string) =>
    `(select ${JOB_COLUMNS} from jobs where ${condition}${conditions.join(' and ')} ${order})`;
  if (fileId !== undefined || batchId !== undefined) {
    // Compared as text that no index has, so that the status does not choose the index.
    const ofStatus = status === undefined ? '' : `status || '' = '${status}' and `;
    return { statement: statement(name.join('.'), listed(ofStatus)), values };
  }
  const ranges = (status === undefined ? jobStatuses : [status]).map((each) => listed(`status = '${each}' and `));
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
