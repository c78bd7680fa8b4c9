// Refuses runs of a cancelled job: nothing that they send afterwards is indexed.
import { uuidOf, type CallContext, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { RunFenceStore } from './run-fence.store.js';

type Refusal = SearchInput<'refuseRuns'>;

@Injectable()
export class FenceRuns {
  constructor(
    private readonly database: Database,
    private readonly refusedRuns: RunFenceStore,
  ) {}

  async execute(refusal: Refusal, { tenantId }: CallContext): Promise<SearchOutput<'refuseRuns'>> {
    await this.database.transaction((transaction) => this.executeWithin(transaction, tenantId, refusal));
    return {};
  }

  executeWithin(transaction: Transaction, tenantId: string, { file_id, job_id, fence }: Refusal): Promise<void> {
    const run = { jobId: uuidOf('job', job_id), fence };
    return this.refusedRuns.refuse(transaction, tenantId, uuidOf('file', file_id), run);
  }
}
