// Keeps what a run has used on its job, under its fence.
import { statement, type Database } from '@kiln/platform';
import type { RunUsage } from '../domain/run-usage.js';
import type { Lease } from './lease.store.js';

/** Said again, a part replaces what was said of it before. */
const record = statement(
  'run_usage.record',
  `update jobs set usage = usage || $4 where tenant_id = $1 and id = $2 and fence = $3 and status = 'processing'`,
);

export class RunUsageStore {
  constructor(private readonly database: Database) {}

  async record({ tenantId, jobId, fence }: Lease, part: RunUsage): Promise<void> {
    await this.database.query(record, [tenantId, jobId, fence, part]);
  }
}
