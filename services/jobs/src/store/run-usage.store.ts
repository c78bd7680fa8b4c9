// Keeps what a run has used on its job, under its fence, and what the job will count for.
import { statement, type Database } from '@kiln/platform';
import { hundredthsOfRun } from '../domain/pages.js';
import type { RunUsage } from '../domain/run-usage.js';
import type { Lease } from './lease.store.js';

/** Said again, a part replaces what was said of it before. */
const record = statement(
  'run_usage.record',
  `update jobs set usage = usage || $4, page_hundredths = coalesce($5, page_hundredths)
   where tenant_id = $1 and id = $2 and fence = $3 and status = 'processing'`,
);

export class RunUsageStore {
  constructor(private readonly database: Database) {}

  /** `contentType` of the file. */
  async record({ tenantId, jobId, fence }: Lease, part: RunUsage, contentType: string | null): Promise<void> {
    const hundredths = part.extraction ? hundredthsOfRun(contentType, part.extraction) : null;
    await this.database.query(record, [tenantId, jobId, fence, part, hundredths]);
  }
}
