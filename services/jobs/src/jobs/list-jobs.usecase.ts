import { decodeCursor, pageOf, uuidOf, type CallContext, type JobsInput, type JobsOutput } from '@kiln/contracts';
import { z } from 'zod';
import { Injectable } from '@nestjs/common';
import { JobListStore } from './job-list.store.js';
import { jobView } from './job.rows.js';

/** Creation time and job id. */
const cursorValues = z.tuple([z.iso.datetime().regex(/^[12]/), z.uuid()]);

@Injectable()
export class ListJobs {
  constructor(private readonly lists: JobListStore) {}

  async execute(
    { file_id: file, batch_id: batch, limit, cursor, ...filter }: JobsInput<'listJobs'>,
    { tenantId }: CallContext,
  ): Promise<JobsOutput<'listJobs'>> {
    const { space, status, since } = filter;
    const scope = ['jobs', tenantId, space, status, file, batch, since].map((part) => part ?? '').join(':');
    const after = cursor === undefined ? undefined : decodeCursor(scope, cursor, cursorValues);
    // One more row than requested shows whether another page exists.
    const rows = await this.lists.list({
      tenantId,
      ...filter,
      fileId: file && uuidOf('file', file),
      batchId: batch && uuidOf('batch', batch),
      after,
      limit: limit + 1,
    });
    const { items: jobs, next_cursor } = pageOf(rows, {
      limit,
      scope,
      view: jobView,
      keyset: ({ created_at, id }) => [created_at.toISOString(), id],
    });
    return { jobs, next_cursor };
  }
}
