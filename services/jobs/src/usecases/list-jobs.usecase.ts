import {
  decodeCursor,
  encodeCursor,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import { z } from 'zod';
import { JobListStore } from '../store/job-list.store.js';
import { jobView } from '../store/job.rows.js';

type ListJobsOperation = (typeof jobsOperations)['listJobs'];

/** Time of creation and job id. */
const cursorValues = z.tuple([z.iso.datetime().regex(/^[12]/), z.uuid()]);

export class ListJobs {
  constructor(private readonly lists: JobListStore) {}

  async execute(
    { space, status, limit, cursor }: OperationInput<ListJobsOperation>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<ListJobsOperation>> {
    const scope = `jobs:${tenantId}:${space ?? ''}:${status ?? ''}`;
    const after = cursor === undefined ? undefined : decodeCursor(scope, cursor, cursorValues);
    // One row more than asked for tells whether there is another page.
    const rows = await this.lists.list({ tenantId, space, status, after, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const more = rows.length > limit && last !== undefined;
    return {
      jobs: page.map(jobView),
      next_cursor: more ? encodeCursor(scope, [last.created_at.toISOString(), last.id]) : null,
    };
  }
}
